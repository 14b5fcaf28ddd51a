#include "gdkm/experiments/sweep/option_effect.hpp"

#include <fmt/format.h>

#include <set>

#include "gdkm/experiments/sweep/stage_plan.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Facts = std::map<std::string, DatasetFacts>;

/// What check_settings has against the option, or nothing.
std::string objection(const std::string& key, const Settings& settings, const DataKind& data) {
  try {
    check_settings(settings, data);
  } catch (const OptionError& error) {
    if (error.field() == key) return error.problem();
  }
  return "";
}

/// An option that a study or one of its stages gives.
struct GivenOption {
  int line = 0;
  std::size_t first_stage = 0, last_stage = 0;  // where it holds
  std::string key;
  nlohmann::json value;
};

std::vector<GivenOption> given_options(const StudySpec& study) {
  std::vector<GivenOption> out;
  const auto add = [&](int line, std::size_t first, std::size_t last, const RunOptions& options) {
    for (const auto& [key, value] : options) out.push_back({line, first, last, key, value});
  };
  add(study.line, 0, study.stages.size() - 1, study.scope.options);
  for (std::size_t k = 0; k < study.stages.size(); ++k) {
    const StageSpec& stage = study.stages[k];
    add(stage.line, k, k, stage.scope.options);
    for (const RunOptions& variant : stage.variants) add(stage.line, k, k, variant);
    for (const auto& [key, values] : stage.grid) {
      for (const auto& value : values) out.push_back({stage.line, k, k, key, value});
    }
  }
  return out;
}

/// The names of options that have an effect on some run of a stage on one data set, whatever the stages
/// before it choose.
std::set<std::string> effective_in(const SweepSpec& spec, const StudySpec& study, std::size_t stage,
                                   const DatasetFacts& facts) {
  std::vector<RunOptions> carried{{}};
  RunOptions last_of_all;
  for (std::size_t before = 0; before < stage; ++before) {
    for (const Candidate& candidate : plan_stage(spec, study, before, facts, {}).candidates) {
      carried.push_back(candidate.varied);
      for (const auto& [key, value] : candidate.varied) last_of_all[key] = value;
    }
  }
  carried.push_back(last_of_all);
  std::set<std::string> out;
  bool possible = false;
  for (const RunOptions& each : carried) {
    try {
      for (const Candidate& candidate : plan_stage(spec, study, stage, facts, each).candidates) {
        for (const auto& [key, value] : candidate.options.items()) out.insert(key);
      }
      possible = true;
    } catch (const InputError&) {
      // These do not go together; the stage itself says so if it comes to that.
    }
  }
  if (!possible) throw InputError("no choice of the stages before it makes the stage possible");
  return out;
}

/// Why the option has no effect on the runs of a study on one data set.
std::string reason(const SweepSpec& spec, const StudySpec& study, const GivenOption& given,
                   const DatasetFacts& facts) {
  const std::string clash = clash_with_data(study.model, given.key, given.value, kind_of(facts),
                                            makes_rows(spec, study, facts.name));
  if (!clash.empty()) return clash;
  Settings settings;
  settings.model = value_named<ModelKind>(study.model).value_or(ModelKind::dkm);
  for (const auto& [key, value] : study.scope.options) {
    const Option* option = find_option(key);
    if (option != nullptr) option->set(settings, value_from_json(*option, value));
  }
  return lack_of_effect(*find_option(given.key), settings, kind_of(facts));
}

void check_study(const SweepSpec& spec, const StudySpec& study, const Facts& facts) {
  using Names = std::set<std::string>;
  std::vector<std::pair<const DatasetFacts*, std::vector<Names>>> effective;  // per data set and stage
  for (const std::string& name : study.datasets) {
    const auto known = facts.find(name);
    if (known == facts.end()) return;
    effective.emplace_back(&known->second, std::vector<Names>{});
    try {
      for (std::size_t k = 0; k < study.stages.size(); ++k)
        effective.back().second.push_back(effective_in(spec, study, k, known->second));
    } catch (const InputError&) {
      return;  // planning says what is wrong, and where
    }
  }
  for (const GivenOption& given : given_options(study)) {
    const bool has_effect = std::any_of(effective.begin(), effective.end(), [&](const auto& each) {
      const auto& [dataset, stages] = each;
      const bool rows = makes_rows(spec, study, dataset->name);
      if (!clash_with_data(study.model, given.key, given.value, kind_of(*dataset), rows).empty())
        return false;
      return std::any_of(stages.begin() + static_cast<std::ptrdiff_t>(given.first_stage),
                         stages.begin() + static_cast<std::ptrdiff_t>(given.last_stage) + 1,
                         [&](const Names& names) { return names.contains(given.key); });
    });
    if (has_effect) continue;
    const DatasetFacts& first = *effective.front().first;
    throw InputError(
        fmt::format("{}:{}: study '{}': {} = {} has no effect on its runs ({}: {}); leave it out",
                    spec.path.string(), given.line, study.name, given.key, given.value.dump(), first.name,
                    reason(spec, study, given, first)));
  }
}

}  // namespace

DataKind kind_of(const DatasetFacts& facts) {
  DataKind out;
  out.task = facts.task == "graph" ? Task::graph : Task::node;
  out.regression = facts.classes == 0;
  out.table = facts.table;
  return out;
}

bool makes_rows(const SweepSpec& spec, const StudySpec& study, const std::string& dataset) {
  const auto pools = [](const std::string& key, const nlohmann::json& value) {
    return key == "pool_features" && value != "none";
  };
  const auto some_pool = [&](const RunOptions& options) {
    return std::any_of(options.begin(), options.end(),
                       [&](const auto& option) { return pools(option.first, option.second); });
  };
  const auto stage_pools = [&](const StageSpec& stage) {
    return some_pool(stage.scope.options) ||
           std::any_of(stage.variants.begin(), stage.variants.end(), some_pool) ||
           std::any_of(stage.grid.begin(), stage.grid.end(), [&](const auto& option) {
             return std::any_of(option.second.begin(), option.second.end(),
                                [&](const auto& value) { return pools(option.first, value); });
           });
  };
  const RunScope* own = spec.of_dataset(dataset);
  return some_pool(spec.scope.options) || some_pool(study.scope.options) ||
         (own != nullptr && some_pool(own->options)) ||
         std::any_of(study.stages.begin(), study.stages.end(), stage_pools);
}

std::string clash_with_data(const std::string& model, const std::string& key, const nlohmann::json& value,
                            const DataKind& data, bool rows) {
  const Option& option = *find_option(key);
  Settings settings;
  settings.model = value_named<ModelKind>(model).value_or(ModelKind::dkm);
  option.set(settings, value_from_json(option, value));
  const std::string why = lack_of_effect(option, settings, data);
  if (why != lack_of_effect(option, settings)) return why;
  // What the data makes impossible, and other options do not.
  if (rows && data.task == Task::graph) settings.preprocessing.pool_features = FeaturePooling::root;
  const std::string impossible = objection(key, settings, data);
  return objection(key, settings, {}).empty() ? impossible : "";
}

void check_effects(const SweepSpec& spec, const Facts& facts) {
  for (const StudySpec& study : spec.studies) {
    if (!study.next) check_study(spec, study, facts);  // otherwise nobody wrote its options
  }
  for (const auto& [name, scope] : spec.datasets) {
    const auto known = facts.find(name);
    if (known == facts.end()) continue;
    const bool rows =
        std::any_of(spec.studies.begin(), spec.studies.end(),
                    [&, at = name](const StudySpec& study) { return makes_rows(spec, study, at); });
    for (const auto& [key, value] : scope.options) {
      const std::string why = clash_with_data("dkm", key, value, kind_of(known->second), rows);
      if (!why.empty())
        throw InputError(fmt::format("{}: [dataset.{}]: {} = {} does not go with it: {}; leave it out",
                                     spec.path.string(), name, key, value.dump(), why));
    }
  }
}

}  // namespace gdkm
