#include "gdkm/experiments/tables/kernel_gains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

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

/// What a stage has at several ν and otherwise the same settings; infinity is the fixed kernel.
using NuStage = std::map<double, RunsAtNu>;

constexpr double fixed_nu = std::numeric_limits<double>::infinity();

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

/// Leaves what all ν have in common.
void keep_common(NuStage& stage) {
  for (auto& [nu, runs] : stage) {
    std::erase_if(runs, [&](const auto& run) {
      return std::any_of(stage.begin(), stage.end(),
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
  if (stage.size() < 2 || !stage.contains(fixed_nu) || stage.begin()->second.empty()) return std::nullopt;
  const RunsAtNu& fixed = stage.at(fixed_nu);
  double nu = 0, val = -1;
  for (const auto& [each, runs] : stage) {
    const double mean = comparable(validated(runs).mean);
    if (each != fixed_nu && mean > val) {
      nu = each;
      val = mean;
    }
  }
  const RunsAtNu& learned = stage.at(nu);
  RunsAtNu per_split;
  for (const auto& [each, runs] : stage) {
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

/// `own`: the fixed kernel with settings of its own.
std::optional<KernelGain::OverBest> over_best(const Measured& measured, const FinalResult& own,
                                              TestScore score) {
  RunsAtNu same;  // on the places of the learned kernel
  for (const StoredRun* run : own.runs) {
    const Place place = place_of(*run);
    if (run->test() && measured.learned.contains(place)) same.emplace(place, run);
  }
  if (!own.finished || same.size() < measured.learned.size()) return std::nullopt;
  if (comparable(validated(same).mean) <= comparable(validated(measured.fixed).mean))
    return {{measured.gain.fixed, measured.gain.difference}};
  return {{tested(same, score), *score_difference(list_of(measured.learned), list_of(same), score)}};
}

}  // namespace

std::vector<KernelGain> kernel_gains(const Store& store, const std::string& task,
                                     const std::vector<std::string>& sweeps,
                                     std::optional<Inference> inference, TestScore score) {
  std::map<std::int64_t, StoredRun> runs;
  for (StoredRun& run : store.runs()) {
    if (run.configuration.model != "dkm" || !run.val() || !run.test() || run.result->test->r2) continue;
    if (!inference || inference_of(run) == *inference) runs.emplace(run.id, std::move(run));
  }
  const FinalResults results(store, sweeps);
  const StageRecords records(store);
  using Key = std::pair<std::string, std::string>;  // sweep and study
  // By what the stage varies besides ν.
  using Stages = std::map<int, std::map<std::string, NuStage>>;
  std::map<std::string, std::map<Key, Stages>> stages;  // by data set
  std::map<std::string, std::map<Key, int>> last_stages;
  for (const StageRun& use : records.stages(sweeps)) {
    const Key key{use.sweep, use.study};
    int& last = last_stages[use.dataset][key];
    last = std::max(last, use.stage);
    const auto run = runs.find(use.run);
    const auto nu = nu_of(use.varied);
    if (run == runs.end() || !nu) continue;
    nlohmann::json rest = use.varied;
    rest.erase("nu");
    stages[use.dataset][key][use.stage][rest.dump()][*nu][place_of(run->second)] = &run->second;
  }
  std::vector<KernelGain> out;
  for (const DatasetFacts& facts : records.datasets()) {
    if (facts.task != task) continue;
    std::optional<Measured> best;
    for (const auto& [key, its_stages] : stages[facts.name]) {
      const auto& [number, settings] = *its_stages.rbegin();
      for (const auto& [rest, stage] : settings) {
        auto found = measured(stage, score);
        if (!found || (best && found->val <= best->val)) continue;
        best = std::move(found);
        best->is_last = number == last_stages[facts.name][key];
      }
    }
    if (!best) continue;
    best->gain.facts = facts;
    const Inference trained = inference_of(*best->learned.begin()->second);
    const auto own = results.of(facts.name, [&](const Configuration& configuration) {
      return configuration.model == "nngp" && is_sparse(configuration) &&
             settings_of(configuration).training.inference == trained;
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
