#include "gdkm/training/problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace gdkm {

Problem prepare(const Dataset& dataset, const Preprocessing& preprocessing, double lambda) {
  Problem out;
  out.task = dataset.task;
  out.features = normalise(dataset.features, preprocessing.normalise);
  out.mixing = normalised_adjacency(dataset.graph, lambda, preprocessing.adjacency);
  out.graph_start = dataset.graph_start;
  out.label = dataset.label;
  out.classes = dataset.classes;
  out.target = dataset.target;
  out.targets = dataset.targets;
  return out;
}

Problem prepare(const Dataset& dataset, const Preprocessing& preprocessing, const ModelConfig& config) {
  Problem out = prepare(dataset, preprocessing, config.lambda);
  if (!traits_of(config.arch).scales_inputs_by_width) return out;
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
  out.nodes = neighbourhood(problem.mixing, seeds, hops);
  if (static_cast<Index>(out.nodes.size()) == problem.nodes()) {
    out.features = problem.features;
    out.mixing = problem.mixing;
  } else {
    out.features = select_rows(problem.features, out.nodes);
    out.mixing = submatrix(problem.mixing, out.nodes, out.nodes);
  }
  return out;
}

Part cut_out(const Problem& problem, std::vector<std::int32_t> nodes) {
  Part out;
  out.features = select_rows(problem.features, nodes);
  out.mixing = submatrix(problem.mixing, nodes, nodes);
  const auto row_sum = [](const Csr& a, Index r) {
    double sum = 0;
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) sum += a.value[k];
    return sum;
  };
  // Rows and columns alike, so that a symmetric matrix stays one.
  std::vector<double> scale(nodes.size());
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const double left = row_sum(out.mixing, static_cast<Index>(r));
    scale[r] = left > 0 ? std::sqrt(row_sum(problem.mixing, nodes[r]) / left) : 1.0;
  }
  for (Index r = 0; r < out.mixing.rows; ++r) {
    for (Index k = out.mixing.row_start[r]; k < out.mixing.row_start[r + 1]; ++k)
      out.mixing.value[k] *= scale[r] * scale[out.mixing.col[k]];
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
  out.mixing = submatrix(problem.mixing, out.nodes, out.nodes);
  return out;
}

}  // namespace gdkm
