#include "gdkm/training/problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gdkm/dataset/dense_or_sparse.hpp"

namespace gdkm {

namespace {

Problem prepare_with(const Dataset& dataset, const Preprocessing& preprocessing,
                     const std::vector<RelationSpec>& relations, double lambda) {
  Problem out;
  out.task = dataset.task;
  out.features = in_cheaper_form(normalised(dataset, preprocessing));
  out.relations = make_relations(dataset.graph, relations, lambda, preprocessing.adjacency);
  out.graph_start = dataset.graph_start;
  out.label = dataset.label;
  out.classes = dataset.classes;
  out.target = dataset.target;
  out.targets = dataset.targets;
  return out;
}

}  // namespace

Problem prepare(const Dataset& dataset, const Preprocessing& preprocessing, double lambda) {
  return prepare_with(dataset, preprocessing, {RelationSpec{}}, lambda);
}

Problem prepare(const Dataset& dataset, const Preprocessing& preprocessing, const ModelConfig& config) {
  Problem out = prepare_with(dataset, preprocessing, config.mixing(), config.lambda);
  const bool standard = resolved(preprocessing.normalise, dataset.columns) == Normalisation::standard;
  if (!traits_of(config.arch).scales_inputs_by_width || standard)
    return out;  // standard rows are scaled by it
  const double scale = 1.0 / std::sqrt(static_cast<double>(std::max<Index>(1, out.features.cols)));
  for (double& value : out.features.sparse.value) value *= scale;
  for (float& value : out.features.dense) value *= static_cast<float>(scale);
  return out;
}

std::vector<std::int32_t> Part::numbers_of(const std::vector<std::int32_t>& whole) const {
  std::vector<std::int32_t> out;
  out.reserve(whole.size());
  for (const auto node : whole) {
    const auto at = std::lower_bound(nodes.begin(), nodes.end(), node);
    assert(at != nodes.end() && *at == node);
    out.push_back(static_cast<std::int32_t>(at - nodes.begin()));
  }
  return out;
}

Part within_reach(const Problem& problem, const std::vector<std::int32_t>& seeds, int hops) {
  Part out;
  out.nodes = neighbourhood(problem.relations, seeds, hops);
  if (static_cast<Index>(out.nodes.size()) == problem.nodes()) {
    out.features = problem.features;
    out.relations = problem.relations;
  } else {
    out.features = select_rows(problem.features, out.nodes);
    out.relations = submatrices(problem.relations, out.nodes);
  }
  return out;
}

namespace {

double row_sum(const Csr& a, Index r) {
  double sum = 0;
  for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) sum += a.value[k];
  return sum;
}

/// See cut_out.
void make_up_for_what_was_cut(const Csr& whole, const std::vector<std::int32_t>& nodes, bool rows_alone,
                              Csr& part) {
  std::vector<double> scale(nodes.size());
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const double left = row_sum(part, static_cast<Index>(r));
    const double ratio = left > 0 ? row_sum(whole, nodes[r]) / left : 1.0;
    scale[r] = rows_alone ? ratio : std::sqrt(ratio);
  }
  // Rows and columns alike, so that a symmetric matrix stays one.
  for (Index r = 0; r < part.rows; ++r) {
    for (Index k = part.row_start[r]; k < part.row_start[r + 1]; ++k)
      part.value[k] *= scale[r] * (rows_alone ? 1.0 : scale[part.col[k]]);
  }
}

}  // namespace

Part cut_out(const Problem& problem, std::vector<std::int32_t> nodes) {
  Part out;
  out.features = select_rows(problem.features, nodes);
  out.relations = submatrices(problem.relations, nodes);
  for (std::size_t r = 0; r < out.relations.each.size(); ++r) {
    const Csr& whole = problem.relations.each[r].matrix;
    if (out.relations.each[r].scaling == RelationScaling::sum) continue;
    const bool rows_alone = problem.relations.each[r].name != "gcn" && !is_symmetric(whole);
    make_up_for_what_was_cut(whole, nodes, rows_alone, out.relations.each[r].matrix);
  }
  out.nodes = std::move(nodes);
  return out;
}

Part some_graphs(const Problem& problem, const std::vector<std::int32_t>& graphs) {
  Part out;
  out.graph_start.push_back(0);
  for (const auto g : graphs) {
    for (auto node = problem.graph_start[g]; node < problem.graph_start[g + std::size_t{1}]; ++node)
      out.nodes.push_back(node);
    out.graph_start.push_back(static_cast<std::int32_t>(out.nodes.size()));
  }
  out.features = select_rows(problem.features, out.nodes);
  out.relations = submatrices(problem.relations, out.nodes);
  return out;
}

}  // namespace gdkm
