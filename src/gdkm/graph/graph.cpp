#include "gdkm/graph/graph.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace gdkm {

Graph of_type(const Graph& graph, int type) {
  assert(type >= 0 && type < graph.types() && graph.type.size() == graph.edges.size());
  Graph out;
  out.nodes = graph.nodes;
  out.directed = graph.directed;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    if (graph.type[k] != type) continue;
    out.edges.push_back(graph.edges[k]);
    if (!graph.weight.empty()) out.weight.push_back(graph.weight[k]);
  }
  return out;
}

double edge_homophily(const Csr& adjacency, const std::vector<std::int32_t>& label) {
  Index same = 0, counted = 0;
  for (Index r = 0; r < adjacency.rows; ++r) {
    for (Index k = adjacency.row_start[r]; k < adjacency.row_start[r + 1]; ++k) {
      const auto c = adjacency.col[k];
      if (c == r || label[r] < 0 || label[c] < 0) continue;
      ++counted;
      same += label[r] == label[c] ? 1 : 0;
    }
  }
  return counted == 0 ? std::nan("") : static_cast<double>(same) / static_cast<double>(counted);
}

std::vector<std::int32_t> components(const Graph& graph) {
  std::vector<std::int32_t> root(static_cast<std::size_t>(graph.nodes));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t node) {
    while (root[node] != node) node = root[node] = root[root[node]];
    return node;
  };
  for (const auto [u, v] : graph.edges) {
    const auto a = find(u), b = find(v);
    root[std::max(a, b)] = std::min(a, b);
  }
  // The root of a component is its smallest node, so it is visited and numbered first.
  std::vector<std::int32_t> out(root.size());
  std::int32_t count = 0;
  for (std::int32_t i = 0; i < graph.nodes; ++i) {
    const auto r = find(i);
    out[i] = r == i ? count++ : out[r];
  }
  return out;
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
