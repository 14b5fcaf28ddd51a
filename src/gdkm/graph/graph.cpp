#include "gdkm/graph/graph.hpp"

#include <algorithm>
#include <cmath>

namespace gdkm {

Csr adjacency(const Graph& graph) {
  std::vector<Triplet> entries;
  entries.reserve(2 * graph.edges.size());
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const auto [u, v] = graph.edges[k];
    if (u == v) continue;
    const double w = graph.weight.empty() ? 1.0 : graph.weight[k];
    entries.push_back({u, v, w});
    entries.push_back({v, u, w});
  }
  // Ascending weights, so that of equal places the largest stays.
  if (!graph.weight.empty()) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Triplet& a, const Triplet& b) { return a.value < b.value; });
  }
  return csr_from_triplets(graph.nodes, graph.nodes, std::move(entries), false);
}

Csr normalised_adjacency(const Csr& adjacency, double lambda) {
  Csr a = scale_and_shift(adjacency, 1.0, 1.0);
  std::vector<double> scale(static_cast<std::size_t>(a.rows));
  for (Index r = 0; r < a.rows; ++r) {
    double degree = 0;
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) degree += a.value[k];
    scale[r] = 1.0 / std::sqrt(degree);
  }
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) a.value[k] *= scale[r] * scale[a.col[k]];
  }
  return lambda == 0 ? a : scale_and_shift(a, 1.0 - lambda, lambda);
}

double edge_homophily(const Csr& adjacency, const std::vector<std::int32_t>& label) {
  Index same = 0, counted = 0;
  for (Index r = 0; r < adjacency.rows; ++r) {
    for (Index k = adjacency.row_start[r]; k < adjacency.row_start[r + 1]; ++k) {
      const auto c = adjacency.col[k];
      if (c <= r || label[r] < 0 || label[c] < 0) continue;
      ++counted;
      same += label[r] == label[c] ? 1 : 0;
    }
  }
  return counted == 0 ? std::nan("") : static_cast<double>(same) / static_cast<double>(counted);
}

std::vector<std::int32_t> neighbourhood(const Csr& adjacency, const std::vector<std::int32_t>& seeds,
                                        int hops) {
  std::vector<char> seen(static_cast<std::size_t>(adjacency.rows), 0);
  std::vector<std::int32_t> reached, frontier;
  const auto visit = [&](std::int32_t node, std::vector<std::int32_t>& next) {
    if (seen[node]) return;
    seen[node] = 1;
    reached.push_back(node);
    next.push_back(node);
  };
  for (const auto node : seeds) visit(node, frontier);
  for (int hop = 0; hop < hops && !frontier.empty(); ++hop) {
    std::vector<std::int32_t> next;
    for (const auto node : frontier) {
      for (Index k = adjacency.row_start[node]; k < adjacency.row_start[node + 1]; ++k)
        visit(adjacency.col[k], next);
    }
    frontier = std::move(next);
  }
  std::sort(reached.begin(), reached.end());
  return reached;
}

}  // namespace gdkm
