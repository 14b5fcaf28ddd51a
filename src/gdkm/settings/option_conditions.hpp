#pragma once

#include <algorithm>
#include <string>

#include "gdkm/models/exact/wide_network_kernels.hpp"
#include "gdkm/settings/option.hpp"
#include "gdkm/support/option_mention.hpp"

/// Conditions of options: why one has no effect with some settings and data, or nothing where it has one.
namespace gdkm {

inline std::string for_graphs(const Settings& /*s*/, const DataKind& data) {
  return data.task == Task::node ? "it is for data sets of many graphs, and this is one graph" : "";
}
/// Where features are pooled before the model, it has no edges, and nothing to mix with or to pool.
inline std::string with_edges(const Settings& s, const DataKind& /*data*/) {
  const Preprocessing& how = s.preprocessing;
  return how.makes_rows() ? option("pool_features", name_of(how.pool_features)) +
                                " leaves one row for each graph, and no edges"
                          : "";
}
/// For what acts on edges: where features are pooled, degrees and colours still look at them.
inline std::string with_edges_before_rows(const Settings& s, const DataKind& data) {
  const bool looks_at_edges = s.preprocessing.degree_features || s.preprocessing.wl_features > 0;
  return looks_at_edges ? "" : with_edges(s, data);
}
inline std::string for_pooling(const Settings& s, const DataKind& data) {
  const std::string why = for_graphs(s, data);
  return why.empty() ? with_edges(s, data) : why;
}
inline std::string for_one_graph(const Settings& /*s*/, const DataKind& data) {
  return data.task == Task::graph ? "it cuts one graph into parts, and this data set has many graphs; " +
                                        option("batch_size") + " says how many go together"
                                  : "";
}
inline std::string for_classes(const Settings& /*s*/, const DataKind& data) {
  return data.regression.value_or(false)
             ? "this data set has numbers to predict, which always have a bias and need no samples"
             : "";
}
/// Regression on one-hot labels has nothing to train, but its probabilities are calibrated.
inline std::string for_probabilities(const Settings& s, const DataKind& data) {
  return s.uses_dense() && data.regression.value_or(false)
             ? "this data set has numbers to predict, and no class probabilities to calibrate"
             : "";
}
inline std::string for_data_with_classes(const Settings& /*s*/, const DataKind& data) {
  return data.regression.value_or(false) ? "this data set has numbers to predict, and no classes" : "";
}
inline std::string for_paper(const Settings& s, const DataKind& data) {
  return s.training.inference == Inference::paper ? for_classes(s, data)
                                                  : "it goes with " + option("inference", "paper");
}
inline std::string for_best_epochs(const Settings& s, const DataKind& /*data*/) {
  return s.training.inference == Inference::paper ? option("inference", "paper") + " keeps the last epoch"
                                                  : "";
}
inline bool is_exact_nngp(const Settings& s) {
  return s.exact && s.model == ModelKind::nngp;
}
inline std::string for_networks(const Settings& s, const DataKind& /*data*/) {
  return is_exact_nngp(s) && !wide_network(name_of(s.network)).uses_graph()
             ? "the kernel " + option("network", name_of(s.network)) + " is one of the features alone"
             : "";
}
inline std::string for_relations(const Settings& s, const DataKind& data) {
  if (const std::string why = with_edges(s, data); !why.empty()) return why;
  const bool own = is_exact_nngp(s) && s.network != ExactNetwork::gcn && for_networks(s, data).empty();
  return own ? option("network", name_of(s.network)) + " has relations of its own; " +
                   option("network", "gcn") + " takes others"
             : for_networks(s, data);
}
/// Relations as users name them. A network has others of its own, which they do not.
inline std::string asked_relations(const Settings& s) {
  if (!s.exact) return to_string(s.config.mixing());
  return s.config.relations.empty() ? to_string(RelationSpec{}) : to_string(s.config.relations);
}
/// Whether some relation is made of Â_λ.
inline bool mixes_with_a_hat(const Settings& s) {
  const auto relations = relations_of(s);
  return std::any_of(relations.begin(), relations.end(), [](const RelationSpec& spec) {
    return spec.kind == RelationKind::gcn || spec.kind == RelationKind::gcn2 ||
           spec.kind == RelationKind::poly;
  });
}
/// Relations such as und, in and out say themselves what becomes of directions; networks differ.
inline std::string for_directions(const Settings& s, const DataKind& data) {
  if (const std::string why = with_edges_before_rows(s, data); !why.empty()) return why;
  const auto relations = relations_of(s);
  const Preprocessing& how = s.preprocessing;
  const bool has_effect = s.exact || how.degree_features || how.wl_features > 0 || how.diffuse > 0 ||
                          std::any_of(relations.begin(), relations.end(), [](const RelationSpec& spec) {
                            return spec.kind != RelationKind::self && spec.kind != RelationKind::und &&
                                   spec.kind != RelationKind::in && spec.kind != RelationKind::out &&
                                   spec.kind != RelationKind::hop2;
                          });
  return has_effect ? "" : option("relations", to_string(relations)) + " have their own directions";
}
inline std::string for_mixing(const Settings& s, const DataKind& data) {
  if (const std::string why = with_edges(s, data); !why.empty()) return why;
  if (mixes_with_a_hat(s)) return for_networks(s, data);
  const bool by_network = is_exact_nngp(s) && s.network != ExactNetwork::gcn;
  return (by_network ? option("network", name_of(s.network))
                     : option("relations", to_string(relations_of(s)))) +
         " does not mix with A_lambda; the relation self is its place";
}
inline std::string with_centres(const Settings& s, const DataKind& /*data*/) {
  return s.config.center ? "" : "it goes with " + option("center");
}
inline std::string with_several_relations(const Settings& s, const DataKind& /*data*/) {
  const auto relations = s.config.mixing();
  const bool several = relations.size() > 1 || relations[0].kind == RelationKind::types;
  return several ? "" : "it goes with several " + option("relations");
}
inline std::string with_batches(const Settings& s, const DataKind& data) {
  return s.training.batches.batches == 1 ? "it goes with " + option("batches") : for_one_graph(s, data);
}
inline std::string for_saved_models(const Settings& s, const DataKind& /*data*/) {
  return s.exact ? "a committee is made of models that can be saved, and " + option("exact") + " ones cannot"
                 : "";
}
inline std::string on_a_gpu(const Settings& s, const DataKind& /*data*/) {
  return s.device.device.is_cpu() ? "it goes with " + option("device", "cuda") : "";
}
inline std::string on_a_gpu_in_float32(const Settings& s, const DataKind& /*data*/) {
  const bool usable = !s.device.device.is_cpu() && s.precision == Precision::float32;
  return usable ? "" : "it goes with " + option("device", "cuda") + " and " + option("precision", "float32");
}
inline std::string with_random_splits(const Settings& s, const DataKind& /*data*/) {
  return s.split.random ? "" : "it goes with " + option("split");
}
inline std::string with_own_splits(const Settings& s, const DataKind& /*data*/) {
  return s.split.random ? option("split") + " draws splits of its own" : "";
}

}  // namespace gdkm
