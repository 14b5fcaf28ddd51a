#include "gdkm/experiments/score_difference.hpp"

#include <cmath>
#include <map>

#include "gdkm/experiments/confidence.hpp"

namespace gdkm {

namespace {

using BySeed = std::map<std::uint64_t, const StoredRun*>;

std::map<int, BySeed> by_split(const std::vector<const StoredRun*>& runs) {
  std::map<int, BySeed> out;
  for (const StoredRun* run : runs) {
    if (run->test()) out[run->configuration.split].emplace(run->configuration.seed, run);
  }
  return out;
}

bool is_exact(const StoredRun& run) {
  return run.configuration.option("exact") == "true";
}

/// The run to compare with that of this seed; nullptr if there is none.
const StoredRun* counterpart(const BySeed& runs, std::uint64_t seed) {
  if (is_exact(*runs.begin()->second)) return runs.begin()->second;
  const auto at = runs.find(seed);
  return at == runs.end() ? nullptr : at->second;
}

/// Numbers of items are those of reliability bins, which results of early versions do not have.
double items_of(const std::optional<Metrics>& metrics) {
  double out = 0;
  if (metrics) {
    for (const ReliabilityBin& bin : metrics->reliability) out += bin.count;
  }
  return out > 0 ? out : NAN;
}

}  // namespace

double items_per_training_item(const std::optional<Metrics>& part, const RunResult& run) {
  return items_of(part) / items_of(run.train);
}

double error_of_mean(const Summary& differences, std::size_t splits, double overlap) {
  if (differences.count < 2) return NAN;
  return differences.std * std::sqrt(1 / static_cast<double>(differences.count) + (splits > 1 ? overlap : 0));
}

double ScoreDifference::half_width() const {
  return summary.count > 1 ? student(static_cast<double>(summary.count) - 1) * error : NAN;
}

std::optional<ScoreDifference> score_difference(const std::vector<const StoredRun*>& of,
                                                const std::vector<const StoredRun*>& less, TestScore score) {
  const auto ones = by_split(of), others = by_split(less);
  std::vector<RunValue> values;
  std::vector<double> shares;
  std::size_t splits = 0;
  const auto add = [&](const StoredRun& seeded, const StoredRun* one, const StoredRun* other) {
    if (one == nullptr || other == nullptr) return;
    values.push_back(run_value(seeded, *test_score(*one, score) - *test_score(*other, score)));
    const double share = items_per_training_item(one->result->test, *one->result);
    if (!std::isnan(share)) shares.push_back(share);
  };
  for (const auto& [split, runs] : ones) {
    const auto at = others.find(split);
    if (at == others.end()) continue;
    const auto before = values.size();
    const bool ours_is_exact = is_exact(*runs.begin()->second);
    const bool theirs_is_exact = is_exact(*at->second.begin()->second);
    if (ours_is_exact && theirs_is_exact) {
      add(*runs.begin()->second, runs.begin()->second, at->second.begin()->second);
    } else if (!ours_is_exact) {
      for (const auto& [seed, run] : runs) add(*run, run, counterpart(at->second, seed));
    } else {
      for (const auto& [seed, run] : at->second) add(*run, counterpart(runs, seed), run);
    }
    if (values.size() > before) ++splits;
  }
  if (values.empty()) return std::nullopt;
  const Summary summary = summarise_runs(values);
  return ScoreDifference{summary, error_of_mean(summary, splits, mean_and_std(shares).mean), splits};
}

}  // namespace gdkm
