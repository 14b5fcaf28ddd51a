#include "gdkm/experiments/sweep/option_effect.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Facts = std::map<std::string, DatasetFacts>;

void check_of_study(const SweepSpec& spec, const StudySpec& study, const Facts& facts, int line,
                    const std::string& key, const nlohmann::json& value) {
  std::string first;
  for (const std::string& name : study.datasets) {
    const auto known = facts.find(name);
    if (known == facts.end()) return;
    const std::string why = lack_of_effect(key, value, known->second);
    if (why.empty()) return;
    if (first.empty()) first = name + ": " + why;
  }
  throw InputError(fmt::format("{}:{}: study '{}': {} = {} does not go with {}; leave it out",
                               spec.path.string(), line, study.name, key, value.dump(), first));
}

}  // namespace

std::string lack_of_effect(const std::string& key, const nlohmann::json& value, const DatasetFacts& facts) {
  const bool graphs = facts.task == "graph";
  if (!graphs && (key == "pool" || key == "batch_size"))
    return "it is for data sets of many graphs, and this is one";
  if (graphs && (key == "batches" || key == "partition"))
    return "it cuts one graph, and here are many; batch_size says how many go together";
  if (graphs && key == "scheme" && value == "intra")
    return "these inducing points sit on the nodes of one graph, and here are many";
  if (graphs && key == "exact" && value == true)
    return "exact models are of the nodes of one graph, and here are many";
  if (facts.classes == 0 && key == "bias") return "regression always has it";
  return "";
}

void check_effects(const SweepSpec& spec, const Facts& facts) {
  for (const StudySpec& study : spec.studies) {
    const auto check = [&](int line, const RunOptions& options) {
      for (const auto& [key, value] : options) check_of_study(spec, study, facts, line, key, value);
    };
    check(study.line, study.scope.options);
    for (const StageSpec& stage : study.stages) {
      check(stage.line, stage.scope.options);
      for (const RunOptions& variant : stage.variants) check(stage.line, variant);
      for (const auto& [key, values] : stage.grid) {
        for (const auto& value : values) check_of_study(spec, study, facts, stage.line, key, value);
      }
    }
  }
  for (const auto& [name, scope] : spec.datasets) {
    const auto known = facts.find(name);
    if (known == facts.end()) continue;
    for (const auto& [key, value] : scope.options) {
      const std::string why = lack_of_effect(key, value, known->second);
      if (!why.empty())
        throw InputError(fmt::format("{}: [dataset.{}]: {} = {} does not go with it: {}; leave it out",
                                     spec.path.string(), name, key, value.dump(), why));
    }
  }
}

}  // namespace gdkm
