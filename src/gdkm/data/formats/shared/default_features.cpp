#include "gdkm/data/formats/shared/default_features.hpp"

#include <algorithm>

namespace gdkm {
namespace {

constexpr Index most_degrees = 1000;

/// A matrix with one 1 in each row.
Features one_hot(const std::vector<std::int32_t>& column, Index cols) {
  Features out;
  out.is_sparse = true;
  out.rows = out.sparse.rows = static_cast<Index>(column.size());
  out.cols = out.sparse.cols = cols;
  out.sparse.col = column;
  out.sparse.value.assign(column.size(), 1.0);
  out.sparse.row_start.resize(column.size() + 1);
  for (std::size_t k = 0; k <= column.size(); ++k) out.sparse.row_start[k] = static_cast<Index>(k);
  return out;
}

}  // namespace

Features make_default_features(const Graph& graph, DefaultFeatures kind) {
  const auto nodes = static_cast<std::size_t>(graph.nodes);
  if (kind == DefaultFeatures::ones) {
    Features out;
    out.rows = graph.nodes;
    out.cols = 1;
    out.dense.assign(nodes, 1.0f);
    return out;
  }
  std::vector<std::int32_t> column(nodes);
  if (kind == DefaultFeatures::identity) {
    for (std::size_t k = 0; k < nodes; ++k) column[k] = static_cast<std::int32_t>(k);
    return one_hot(column, graph.nodes);
  }
  const Csr a = adjacency(graph);
  std::int32_t most = 0;
  for (Index r = 0; r < graph.nodes; ++r) {
    const Index degree = a.row_start[r + 1] - a.row_start[r];
    column[static_cast<std::size_t>(r)] = static_cast<std::int32_t>(std::min(degree, most_degrees));
    most = std::max(most, column[static_cast<std::size_t>(r)]);
  }
  return one_hot(column, most + 1);
}

}  // namespace gdkm
