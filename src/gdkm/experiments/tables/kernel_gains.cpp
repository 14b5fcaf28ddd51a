#include "gdkm/experiments/tables/kernel_gains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "gdkm/experiments/sweep/selection.hpp"
#include "gdkm/experiments/tables/final_results.hpp"

namespace gdkm {

namespace {

using Place = std::pair<int, std::uint64_t>;  // split and seed

Place place_of(const StoredRun& run) {
  return {run.configuration.split, run.configuration.seed};
}

/// The runs of a stage at one ν.
using RunsAtNu = std::map<Place, const StoredRun*>;

constexpr double fixed_nu = std::numeric_limits<double>::infinity();

/// What a stage has at several ν and otherwise the same settings; infinity is the fixed kernel.
struct NuStage {
  std::map<double, RunsAtNu> at;
  std::set<double> failed;  // where a run failed

  bool has_both() const { return at.size() > 1 && at.contains(fixed_nu); }
};

std::optional<double> nu_of(const nlohmann::json& varied) {
  const auto at = varied.find("nu");
  if (at == varied.end()) return std::nullopt;
  if (at->is_number()) return at->get<double>();
  return *at == "inf" ? std::optional(fixed_nu) : std::nullopt;  // not one ν per layer
}

Summary validated(const RunsAtNu& runs) {
  std::vector<RunValue> values;
  for (const auto& [place, run] : runs) values.push_back(run_value(*run, *run->val()));
  return summarise_runs(values);
}

Summary tested(const RunsAtNu& runs, TestScore score) {
  std::vector<RunValue> values;
  for (const auto& [place, run] : runs) values.push_back(run_value(*run, *test_score(*run, score)));
  return summarise_runs(values);
}

std::vector<const StoredRun*> list_of(const RunsAtNu& runs) {
  std::vector<const StoredRun*> out;
  for (const auto& [place, run] : runs) out.push_back(run);
  return out;
}

/// Leaves the splits and seeds that all ν have in common. A ν with failed runs has few, and is left out if it
/// can be.
void keep_common(NuStage& stage) {
  NuStage whole = stage;
  std::erase_if(whole.at, [&](const auto& nu) { return stage.failed.contains(nu.first); });
  if (whole.has_both()) stage = std::move(whole);
  for (auto& [nu, runs] : stage.at) {
    std::erase_if(runs, [&](const auto& run) {
      return std::any_of(stage.at.begin(), stage.at.end(),
                         [&](const auto& other) { return !other.second.contains(run.first); });
    });
  }
}

Inference inference_of(const StoredRun& run) {
  return settings_of(run.configuration).training.inference;
}

struct Measured {
  double val = 0;  // of the best ν
  KernelGain gain;
  RunsAtNu learned, fixed;
  bool is_last = false;  // no stage follows
};

std::optional<Measured> measured(NuStage stage, TestScore score) {
  keep_common(stage);
  if (!stage.has_both() || stage.at.begin()->second.empty()) return std::nullopt;
  const RunsAtNu& fixed = stage.at.at(fixed_nu);
  double nu = 0, val = -1;
  for (const auto& [each, runs] : stage.at) {
    const double mean = comparable(validated(runs).mean);
    if (each != fixed_nu && mean > val) {
      nu = each;
      val = mean;
    }
  }
  const RunsAtNu& learned = stage.at.at(nu);
  RunsAtNu per_split;
  for (const auto& [each, runs] : stage.at) {
    for (const auto& [place, run] : runs) {
      const auto [at, is_new] = per_split.try_emplace(place, run);
      if (!is_new && *run->val() > *at->second->val()) at->second = run;
    }
  }
  Measured out;
  KernelGain& gain = out.gain;
  out.learned = learned;
  out.fixed = fixed;
  out.val = std::max(val, comparable(validated(fixed).mean));
  gain.nu = nu;
  gain.learned = tested(learned, score);
  gain.fixed = tested(fixed, score);
  gain.per_split = tested(per_split, score);
  gain.difference = *score_difference(list_of(learned), list_of(fixed), score);
  return out;
}

/// The runs of `own` on the splits and seeds of the learned kernel.
RunsAtNu on_places_of(const Measured& measured, const FinalResult& own) {
  RunsAtNu out;
  for (const StoredRun* run : own.runs) {
    const Place place = place_of(*run);
    if (run->test() && measured.learned.contains(place)) out.emplace(place, run);
  }
  return out;
}

/// `own`: the fixed kernel with settings of its own.
KernelGain::OverBest over_best(const Measured& measured, const FinalResult& own, TestScore score) {
  const RunsAtNu same = on_places_of(measured, own);
  if (comparable(validated(same).mean) <= comparable(validated(measured.fixed).mean))
    return {measured.gain.fixed, measured.gain.difference};
  return {tested(same, score), *score_difference(list_of(measured.learned), list_of(same), score)};
}

}  // namespace

std::vector<KernelGain> kernel_gains(const Store& store, const std::string& task,
                                     const std::vector<std::string>& sweeps,
                                     std::optional<Inference> inference, TestScore score) {
  std::map<std::int64_t, StoredRun> runs;
  for (StoredRun& run : store.runs()) {
    if (run.configuration.model != "dkm" || (inference && inference_of(run) != *inference)) continue;
    const bool scored = run.val() && run.test() && !run.result->test->r2;
    if (scored || run.status == RunStatus::failed) runs.emplace(run.id, std::move(run));
  }
  const FinalResults results(store, sweeps);
  const StageRecords records(store);
  using Key = std::pair<std::string, std::string>;  // sweep and study
  // By what the stage varies besides ν.
  using Stages = std::map<int, std::map<std::string, NuStage>>;
  std::map<std::string, std::map<Key, Stages>> stages;  // by data set
  std::map<std::string, std::map<Key, int>> last_stages;
  std::map<Key, int> last_of_nu;  // on any data set
  for (const StageRun& use : records.stages(sweeps)) {
    const Key key{use.sweep, use.study};
    int& last = last_stages[use.dataset][key];
    last = std::max(last, use.stage);
    const auto run = runs.find(use.run);
    const auto nu = nu_of(use.varied);
    if (nu) last_of_nu[key] = std::max(last_of_nu[key], use.stage);
    if (run == runs.end() || !nu) continue;
    nlohmann::json rest = use.varied;
    rest.erase("nu");
    NuStage& stage = stages[use.dataset][key][use.stage][rest.dump()];
    if (run->second.status == RunStatus::failed) {
      stage.failed.insert(*nu);
    } else {
      stage.at[*nu][place_of(run->second)] = &run->second;
    }
  }
  const auto has_results = [](const auto& stage) {
    return std::any_of(stage.second.begin(), stage.second.end(),
                       [](const auto& settings) { return !settings.second.at.empty(); });
  };
  std::vector<KernelGain> out;
  for (const DatasetFacts& facts : records.datasets()) {
    if (facts.task != task) continue;
    std::optional<Measured> best;
    for (const auto& [key, its_stages] : stages[facts.name]) {
      const auto last = std::find_if(its_stages.rbegin(), its_stages.rend(), has_results);
      if (last == its_stages.rend()) continue;
      const auto& [number, settings] = *last;
      for (const auto& [rest, stage] : settings) {
        auto found = measured(stage, score);
        if (!found) continue;
        found->gain.finished = number == last_of_nu[key] && results.is_done(key, facts.name, number);
        found->is_last = number == last_stages[facts.name][key];
        const bool better = !best || (found->gain.finished == best->gain.finished ? found->val > best->val
                                                                                  : found->gain.finished);
        if (better) best = std::move(found);
      }
    }
    if (!best) continue;
    best->gain.facts = facts;
    const Inference trained = inference_of(*best->learned.begin()->second);
    const auto own = results.of(
        facts.name,
        [&](const Configuration& configuration) {
          return configuration.model == "nngp" && is_sparse(configuration) &&
                 settings_of(configuration).training.inference == trained;
        },
        [&](const FinalResult& result) {
          return result.finished && on_places_of(*best, result).size() == best->learned.size();
        });
    if (own && best->is_last) best->gain.over_best = over_best(*best, *own, score);
    out.push_back(std::move(best->gain));
  }
  std::stable_sort(out.begin(), out.end(), [](const KernelGain& a, const KernelGain& b) {
    return more_homophilous(a.facts, b.facts);
  });
  return out;
}

}  // namespace gdkm
