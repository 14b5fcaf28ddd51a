#include "gdkm/experiments/tables/kernel_gains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "gdkm/experiments/confidence.hpp"

namespace gdkm {

namespace {

using Place = std::pair<int, std::uint64_t>;  // split and seed

struct Scores {
  double val = 0, test = 0;
};

/// The runs of a stage at one ν.
using RunsAtNu = std::map<Place, Scores>;

/// A stage that varies ν; infinity is the fixed kernel.
using NuStage = std::map<double, RunsAtNu>;

constexpr double fixed_nu = std::numeric_limits<double>::infinity();

std::optional<double> nu_of(const nlohmann::json& varied) {
  const auto at = varied.find("nu");
  if (at == varied.end()) return std::nullopt;
  if (at->is_number()) return at->get<double>();
  return *at == "inf" ? std::optional(fixed_nu) : std::nullopt;  // not one ν per layer
}

Summary summary_of(const RunsAtNu& runs, double Scores::*score) {
  std::vector<RunValue> values;
  for (const auto& [place, scores] : runs)
    values.push_back({static_cast<std::int64_t>(place.second), place.first, scores.*score});
  return summarise_runs(values);
}

/// Leaves what all ν have in common.
void keep_common(NuStage& stage) {
  for (auto& [nu, runs] : stage) {
    std::erase_if(runs, [&](const auto& run) {
      return std::any_of(stage.begin(), stage.end(),
                         [&](const auto& other) { return !other.second.contains(run.first); });
    });
  }
}

struct Measured {
  double val = 0;  // of the best ν
  KernelGain gain;
};

std::optional<Measured> measured(NuStage stage) {
  keep_common(stage);
  if (stage.size() < 2 || !stage.contains(fixed_nu) || stage.begin()->second.empty()) return std::nullopt;
  const RunsAtNu& fixed = stage.at(fixed_nu);
  double nu = 0, val = -1;
  for (const auto& [each, runs] : stage) {
    const double mean = summary_of(runs, &Scores::val).mean;
    if (each != fixed_nu && mean > val) {
      nu = each;
      val = mean;
    }
  }
  const RunsAtNu& learned = stage.at(nu);
  RunsAtNu differences, per_split;
  for (const auto& [place, scores] : learned) {
    differences[place] = {0, scores.test - fixed.at(place).test};
    for (const auto& [each, runs] : stage) {
      const Scores& here = runs.at(place);
      const auto [at, is_new] = per_split.try_emplace(place, here);
      if (!is_new && here.val > at->second.val) at->second = here;
    }
  }
  Measured out;
  KernelGain& gain = out.gain;
  out.val = std::max(val, summary_of(fixed, &Scores::val).mean);
  gain.nu = nu;
  gain.learned = summary_of(learned, &Scores::test);
  gain.fixed = summary_of(fixed, &Scores::test);
  gain.per_split = summary_of(per_split, &Scores::test);
  gain.difference = summary_of(differences, &Scores::test);
  const auto count = static_cast<double>(gain.difference.count);
  gain.half_width = count > 1 ? student(count - 1) * gain.difference.std / std::sqrt(count) : NAN;
  return out;
}

}  // namespace

std::vector<KernelGain> kernel_gains(const Store& store, const std::string& task,
                                     const std::vector<std::string>& sweeps) {
  std::map<std::int64_t, StoredRun> runs;
  for (StoredRun& run : store.runs()) {
    if (run.configuration.model == "dkm" && run.val() && run.test() && !run.result->test->r2)
      runs.emplace(run.id, std::move(run));
  }
  const StageRecords records(store);
  using Key = std::pair<std::string, std::string>;                      // sweep and study
  std::map<std::string, std::map<Key, std::map<int, NuStage>>> stages;  // by data set
  for (const StageRun& use : records.stages(sweeps)) {
    const auto run = runs.find(use.run);
    const auto nu = nu_of(use.varied);
    if (run == runs.end() || !nu || use.varied.size() != 1) continue;
    const Configuration& configuration = run->second.configuration;
    stages[use.dataset][{use.sweep, use.study}][use.stage][*nu][{configuration.split, configuration.seed}] = {
        *run->second.val(), *run->second.test()};
  }
  std::vector<KernelGain> out;
  for (const DatasetFacts& facts : records.datasets()) {
    if (facts.task != task) continue;
    std::optional<Measured> best;
    for (const auto& [key, its_stages] : stages[facts.name]) {
      auto found = measured(its_stages.rbegin()->second);
      if (found && (!best || found->val > best->val)) best = std::move(found);
    }
    if (!best) continue;
    best->gain.facts = facts;
    out.push_back(std::move(best->gain));
  }
  std::stable_sort(out.begin(), out.end(), [](const KernelGain& a, const KernelGain& b) {
    return std::isnan(b.facts.homophily) ? !std::isnan(a.facts.homophily)
                                         : a.facts.homophily > b.facts.homophily;
  });
  return out;
}

}  // namespace gdkm
