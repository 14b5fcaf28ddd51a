#include "gdkm/fitting/prepared_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/settings/option.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/option_mention.hpp"

namespace gdkm {
namespace {

/// There is at most one inducing location a node; several relations have as many variables at each.
/// Where features are pooled, a graph is one.
void lower_inducing(Index nodes, Settings& settings, const std::function<void(const std::string&)>& warn) {
  const Index asked = settings.config.inducing;
  if (!settings.is_sparse() || settings.config.locations() <= nodes) return;
  const Index most = nodes * settings.config.variables() / settings.config.locations();
  settings.config.inducing = most;
  const char* item = settings.preprocessing.makes_rows() ? "graph" : "node";
  if (warn)
    warn(fmt::format("{}: lowered to {}, {}", option("inducing", std::to_string(asked)), most,
                     most == nodes ? fmt::format("the number of {}s", item)
                                   : fmt::format("one for every {} and relation", item)));
}

Problem problem_of(const Dataset& dataset, const Settings& settings) {
  ModelConfig of_inputs = settings.config;
  of_inputs.arch = input_architecture(settings);
  of_inputs.relations = relations_of(settings, dataset.graph.directed);
  return prepare(dataset, settings.preprocessing, of_inputs, settings.device.ranks.get());
}

/// Members prepare the same data, and what they say of it is said once.
std::vector<PreparedData> prepare_members(const Dataset& dataset, const Settings& settings,
                                          const std::function<void(const std::string&)>& warn) {
  std::set<std::string> said;
  const auto warn_once = [&](const std::string& remark) {
    if (warn && said.insert(remark).second) warn(remark);
  };
  std::vector<PreparedData> out;
  for (const Settings& member : member_settings(settings)) out.push_back(prepare(dataset, member, warn_once));
  return out;
}

}  // namespace

void check_share(const Dataset& dataset, const Settings& settings) {
  if (dataset.owner.empty()) return;
  const Preprocessing& how = settings.preprocessing;
  const auto refuse = [](const char* name, const std::string& value, const char* advice) {
    throw OptionError(name, value, "ranks read their own parts of the graph, and it looks at all of it",
                      advice);
  };
  const char* whole = "leave it out, or give all ranks the whole data set in place of parts";
  if (how.largest_component) refuse("largest_component", "true", whole);
  if (how.degree_features) refuse("degree_features", "true", whole);
  if (how.wl_features > 0) refuse("wl_features", std::to_string(how.wl_features), whole);
  if (how.structure_features) refuse("structure_features", "true", whole);
  if (how.diffuse > 0) refuse("diffuse", std::to_string(how.diffuse), whole);
  if (settings.training.batches.batches > 1)
    refuse("batches", std::to_string(settings.training.batches.batches), whole);
  if (resolved(how, dataset.columns) == Normalisation::standard && !how.scales)
    refuse("normalise", "standard", "standardise the columns before the graph is partitioned");
}

PreparedData prepare(Dataset dataset, Settings settings,
                     const std::function<void(const std::string&)>& warn) {
  settings.config.edge_types = has_types(settings.config.mixing()) ? dataset.graph.types() : 0;
  check_settings(settings, kind_of(dataset));
  check_share(dataset, settings);
  PreparedData out;
  // The data of the committee itself has its labels and splits, which are those of all members.
  out.members = prepare_members(dataset, settings, warn);
  if (settings.exact) out.fingerprint = fingerprint(dataset, false);
  settings.preprocessing = settled(settings.preprocessing, dataset);
  if (has_types(settings.config.mixing()) || settings.preprocessing.wl_features > 0)
    out.edge_types = dataset.graph.type_names;
  out.dataset = preprocess(std::move(dataset), settings.preprocessing);
  settings.config.regression = out.dataset.is_regression();
  const bool speaks = warn && out.members.empty();
  lower_inducing(out.dataset.graph.nodes, settings, speaks ? warn : nullptr);
  const bool pooled = settings.preprocessing.makes_rows();
  if (speaks && out.dataset.graph.edges.empty() && out.dataset.owner.empty() && !pooled)
    warn(out.dataset.task == Task::graph ? "no graph has an edge: every node is by itself"
                                         : "the graph has no edges: every node is by itself");
  out.problem = problem_of(out.dataset, settings);
  weights_of_classes(settings.training.class_weights, out.problem, {});  // refuses too many or too few
  out.graph = fingerprint(out.dataset, out.problem.relations, settings.preprocessing);
  if (!out.dataset.owner.empty()) out.dataset = without_rows(std::move(out.dataset));
  out.settings = std::move(settings);
  return out;
}

bool depends_on_split(const PreparedData& data) {
  const bool standardises = data.settings.preprocessing.normalise == Normalisation::standard;
  return (data.problem.task == Task::graph && standardises) ||
         std::any_of(data.members.begin(), data.members.end(), depends_on_split);
}

PreparedData for_split(PreparedData data, const Split& split) {
  for (PreparedData& member : data.members) member = for_split(std::move(member), split);
  if (data.problem.task != Task::graph || data.settings.preprocessing.normalise != Normalisation::standard)
    return data;
  const auto nodes = some_graphs(data.problem, split.train).nodes;
  data.settings.preprocessing.scales = column_scales(data.dataset.features, data.dataset.columns, nodes);
  std::vector<double> weight = std::move(data.problem.item_weight);
  data.problem = problem_of(data.dataset, data.settings);
  data.problem.item_weight = std::move(weight);
  return data;
}

}  // namespace gdkm
