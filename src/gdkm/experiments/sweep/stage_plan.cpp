#include "gdkm/experiments/sweep/stage_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "gdkm/dataset/summary.hpp"
#include "gdkm/experiments/sweep/committee_stage.hpp"
#include "gdkm/experiments/sweep/option_effect.hpp"
#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr int usual_splits = 10;  // where they are drawn, "all" has to be some number

/// Every combination of the stage's variants and grid values, the last option of the grid varying fastest.
std::vector<RunOptions> combinations(const StageSpec& stage) {
  std::vector<RunOptions> out = stage.variants;
  for (const auto& [key, values] : stage.grid) {
    std::vector<RunOptions> crossed;
    for (const RunOptions& before : out) {
      for (const auto& value : values) {
        crossed.push_back(before);
        crossed.back()[key] = value;
      }
    }
    out = std::move(crossed);
  }
  return out;
}

std::vector<int> splits_of(const SplitChoice& choice, const nlohmann::json& options,
                           const DatasetFacts& facts, const std::string& where) {
  const std::string set = options.value("split_set", "");
  const bool drawn = options.at("split") != "" || (facts.splits.empty() && set == "public");
  const auto found = facts.splits.find(set);
  if (!drawn && found == facts.splits.end()) {
    throw InputError(fmt::format("{}: {} has no splits '{}'; leave split_set out, or see gdkm data info",
                                 where, facts.name, set));
  }
  const auto there = drawn ? std::int64_t{100000} : found->second;
  std::vector<int> out = choice.list;
  if (out.empty()) {
    const auto count = choice.count > 0 ? choice.count : (drawn ? usual_splits : there);
    for (int k = 0; k < count; ++k) out.push_back(k);
  }
  if (*std::max_element(out.begin(), out.end()) >= there) {
    throw InputError(fmt::format("{}: {} has {} splits in the set '{}'; ask for these, or for \"all\"", where,
                                 facts.name, there, set));
  }
  return out;
}

/// What holds for all candidates of a stage that have the same model.
class StageBase {
 public:
  StageBase(const SweepSpec& spec, const StudySpec& study, const StageSpec& stage, const DatasetFacts& facts,
            const RunOptions& carried, std::string model)
      : model_(std::move(model)), kind_(kind_of(facts)), rows_(makes_rows(spec, study, facts.name)) {
    apply(spec.scope.options, true);
    apply(study.scope.options, false);
    if (const RunScope* scope = spec.of_dataset(facts.name)) apply(scope->options, true);
    apply(carried, false);
    if (stage.committee) apply(study.stages[stage.committee->of].scope.options, false);
    apply(stage.scope.options, static_cast<bool>(study.next));
  }

  /// `varied`, less what does nothing on the data, with what holds anyway.
  Candidate candidate(RunOptions varied) const {
    std::erase_if(varied, [&](const auto& option) {
      return option.first != "model" &&
             !clash_with_data(model_, option.first, option.second, kind_, rows_).empty();
    });
    RunOptions all = base_;
    for (const auto& [key, value] : varied) all[key] = value;
    all.erase("model");
    std::erase_if(all, [&, form = form_of(all)](const auto& option) {
      return for_all_models_.contains(option.first) && !varied.contains(option.first) &&
             !has_option(model_, form, option.first);
    });
    return {model_, std::move(varied), complete_options(model_, all, kind_)};
  }

 private:
  void apply(const RunOptions& options, bool for_all) {
    for (const auto& [key, value] : options) {
      // What is said for all models holds for those that have it, and for the data on which it does
      // something.
      const bool has =
          has_option(model_, ModelForm::inducing, key) || has_option(model_, ModelForm::exact, key);
      if (!has || !clash_with_data(model_, key, value, kind_, rows_).empty()) continue;
      base_[key] = value;
      if (for_all) {
        for_all_models_.insert(key);
      } else {
        for_all_models_.erase(key);
      }
    }
  }

  std::string model_;
  DataKind kind_;
  bool rows_;
  RunOptions base_;
  std::set<std::string> for_all_models_;
};

}  // namespace

StagePlan plan_stage(const SweepSpec& spec, const StudySpec& study, std::size_t number,
                     const DatasetFacts& facts, const RunOptions& carried,
                     const std::vector<Candidate>& compared) {
  const StageSpec& stage = study.stages[number];
  if (stage.committee && compared.empty())
    return plan_stage(spec, study, number, facts, carried,
                      plan_stage(spec, study, stage.committee->of, facts, carried).candidates);
  const std::string where = fmt::format("{}:{}", spec.path.string(), stage.line);
  std::vector<std::uint64_t> seeds{0};
  SplitChoice splits;
  for (const RunScope* scope : {&spec.scope, &study.scope, spec.of_dataset(facts.name), &stage.scope}) {
    if (scope != nullptr && scope->seeds) seeds = *scope->seeds;
    if (scope != nullptr && scope->splits) splits = *scope->splits;
  }
  std::map<std::string, StageBase> bases;  // by model
  StagePlan out;
  std::vector<std::vector<int>> splits_by_candidate;
  std::set<std::string> seen;
  const std::vector<RunOptions> settings =
      stage.committee ? std::vector{committee_options(compared, stage.committee->best)} : combinations(stage);
  for (const RunOptions& varied : settings) {
    const auto named = varied.find("model");
    const std::string model = named == varied.end() ? study.model : named->second.get<std::string>();
    try {
      const StageBase& base =
          bases.try_emplace(model, spec, study, stage, facts, carried, model).first->second;
      Candidate candidate = base.candidate(varied);
      if (!seen.insert(model + candidate.options.dump()).second) continue;
      splits_by_candidate.push_back(splits_of(splits, candidate.options, facts, where));
      out.candidates.push_back(std::move(candidate));
    } catch (const InputError& error) {
      const std::string what = error.message();
      throw InputError(what.starts_with(where) ? what
                                               : fmt::format("{}: stage '{}': {}", where, stage.name, what));
    }
  }
  std::int64_t each = 0;  // pairs of a split and a seed
  for (std::size_t at = 0; at < splits_by_candidate[0].size(); ++at) {
    for (const std::uint64_t seed : seeds) {
      if (stage.runs_each > 0 && ++each > stage.runs_each) break;
      for (std::size_t c = 0; c < out.candidates.size(); ++c) {
        if (at >= splits_by_candidate[c].size()) continue;
        out.runs.push_back({static_cast<int>(c),
                            {facts.name, facts.fingerprint, out.candidates[c].model,
                             out.candidates[c].options, seed, splits_by_candidate[c][at]}});
      }
    }
  }
  if (stage.max_runs > 0 && static_cast<std::int64_t>(out.runs.size()) > stage.max_runs)
    out.runs.resize(static_cast<std::size_t>(stage.max_runs));
  return out;
}

DatasetFacts facts_of(const std::string& name, const Dataset& dataset) {
  const DatasetSummary summary = summarise(dataset);
  DatasetFacts out;
  out.name = name;
  out.fingerprint = fingerprint(dataset);
  out.task = dataset.task == Task::node ? "node" : "graph";
  out.nodes = summary.nodes;
  out.edges = summary.edges;
  out.features = summary.features;
  out.nonzeros = static_cast<std::int64_t>(summary.feature_density * static_cast<double>(summary.nodes) *
                                               static_cast<double>(summary.features) +
                                           0.5);
  out.classes = summary.classes;
  out.graphs = summary.graphs;
  out.homophily = summary.homophily;
  out.table = dataset.columns.kind == FeatureColumns::Kind::table;
  for (const auto& [set, splits] : dataset.splits) out.splits[set] = static_cast<std::int64_t>(splits.size());
  return out;
}

}  // namespace gdkm
