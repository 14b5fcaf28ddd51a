#include "gdkm/experiments/sweep/selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace gdkm {

namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;  // split and seed

std::set<Pair> pairs_of(const CandidateRuns& runs) {
  std::set<Pair> out;
  for (const RunValue& run : runs.val) out.insert({run.split, run.seed});
  return out;
}

/// The values on `pairs`, sorted, so that sums do not depend on the order in which runs finished.
std::vector<RunValue> restricted(const std::vector<RunValue>& values, const std::set<Pair>& pairs) {
  std::vector<RunValue> out;
  for (const RunValue& run : values) {
    if (pairs.contains({run.split, run.seed})) out.push_back(run);
  }
  std::sort(out.begin(), out.end(), [](const RunValue& a, const RunValue& b) {
    return std::pair(a.split, a.seed) < std::pair(b.split, b.seed);
  });
  return out;
}

/// Candidates that have runs: those without a failed one, or all if each has some.
std::vector<std::size_t> contenders_of(const std::vector<CandidateRuns>& candidates) {
  std::vector<std::size_t> out;
  for (const bool take_failed : {false, true}) {
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (!candidates[c].val.empty() && (candidates[c].failed == 0 || take_failed)) out.push_back(c);
    }
    if (!out.empty()) break;
  }
  return out;
}

std::set<Pair> common_pairs(const std::vector<CandidateRuns>& candidates,
                            const std::vector<std::size_t>& contenders) {
  if (contenders.empty()) return {};
  std::set<Pair> out = pairs_of(candidates[contenders[0]]);
  for (const std::size_t c : contenders) {
    const auto pairs = pairs_of(candidates[c]);
    std::erase_if(out, [&](const Pair& pair) { return !pairs.contains(pair); });
  }
  return out;
}

}  // namespace

double comparable(double mean) {
  constexpr double steps = 1e9;
  return std::abs(mean) < 1e6 ? std::round(mean * steps) / steps : mean;
}

void CandidateRuns::add(const StoredRun& run) {
  if (run.status == RunStatus::failed) ++failed;
  if (!run.val()) return;
  val.push_back(run_value(run, *score_of(*run.result, settings_of(run.configuration).training.select)));
  if (run.test()) test.push_back(run_value(run, *run.test()));
}

std::vector<RankedCandidate> ranked_scores(const std::vector<CandidateRuns>& candidates) {
  std::vector<std::size_t> contenders = contenders_of(candidates);
  const std::set<Pair> common = common_pairs(candidates, contenders);
  std::vector<double> mean(candidates.size(), 0);
  for (const std::size_t c : contenders) {
    const double score =
        summarise_runs(restricted(candidates[c].val, common.empty() ? pairs_of(candidates[c]) : common)).mean;
    mean[c] = std::isnan(score) ? -std::numeric_limits<double>::infinity() : comparable(score);
  }
  std::stable_sort(contenders.begin(), contenders.end(),
                   [&](std::size_t a, std::size_t b) { return mean[a] > mean[b]; });
  std::vector<RankedCandidate> out;
  for (const std::size_t c : contenders) out.push_back({c, mean[c]});
  return out;
}

void keep_common(std::vector<CandidateRuns>& candidates) {
  const std::set<Pair> common = common_pairs(candidates, contenders_of(candidates));
  if (common.empty()) return;
  for (CandidateRuns& each : candidates) {
    each.val = restricted(each.val, common);
    each.test = restricted(each.test, common);
  }
}

std::optional<std::size_t> best_candidate(const std::vector<CandidateRuns>& candidates) {
  const auto ranked = ranked_scores(candidates);
  return ranked.empty() ? std::nullopt : std::optional(ranked.front().candidate);
}

}  // namespace gdkm
