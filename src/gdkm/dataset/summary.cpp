#include "gdkm/dataset/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace gdkm {
namespace {

void summarise_features(const Features& x, DatasetSummary& out) {
  out.features = x.cols;
  out.sparse_features = x.is_sparse;
  const auto is_set = [](double v) { return v != 0; };
  Index set = 0;
  for (Index r = 0; r < x.rows; ++r) {
    Index row = 0;
    if (x.is_sparse) {
      const auto begin = x.sparse.value.begin();
      row = std::count_if(begin + x.sparse.row_start[r], begin + x.sparse.row_start[r + 1], is_set);
    } else {
      const auto begin = x.dense.begin() + r * x.cols;
      row = std::count_if(begin, begin + x.cols, is_set);
    }
    set += row;
    out.zero_feature_rows += row == 0 ? 1 : 0;
  }
  const double values = static_cast<double>(x.rows) * static_cast<double>(x.cols);
  out.feature_density = values > 0 ? static_cast<double>(set) / values : 0;
}

void summarise_degrees(const Csr& a, DatasetSummary& out) {
  if (a.rows == 0) return;
  std::vector<Index> degree(static_cast<std::size_t>(a.rows));
  for (Index r = 0; r < a.rows; ++r) degree[r] = a.row_start[r + 1] - a.row_start[r];
  std::sort(degree.begin(), degree.end());
  const std::size_t half = degree.size() / 2;
  out.degree_min = degree.front();
  out.degree_max = degree.back();
  out.degree_median = degree.size() % 2 == 1 ? static_cast<double>(degree[half])
                                             : 0.5 * static_cast<double>(degree[half - 1] + degree[half]);
  out.degree_mean = static_cast<double>(a.nonzeros()) / static_cast<double>(a.rows);
  out.isolated = std::upper_bound(degree.begin(), degree.end(), 0) - degree.begin();
}

void summarise_types(const Graph& graph, DatasetSummary& out) {
  for (const std::string& name : graph.type_names) out.edge_types.emplace_back(name, 0);
  std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t>> edges;
  for (std::size_t k = 0; k < graph.type.size(); ++k) {
    const auto [u, v] = graph.edges[k];
    if (u == v) continue;
    const bool turn = !out.directed && u > v;
    edges.emplace_back(graph.type[k], turn ? v : u, turn ? u : v);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const auto& edge : edges) ++out.edge_types[static_cast<std::size_t>(std::get<0>(edge))].second;
}

void summarise_graphs(const Dataset& dataset, DatasetSummary& out) {
  const auto& start = dataset.graph_start;
  if (start.size() < 2) return;
  out.graphs = static_cast<Index>(start.size()) - 1;
  out.graph_nodes_min = out.graph_nodes_max = start[1] - start[0];
  for (std::size_t g = 1; g + 1 < start.size(); ++g) {
    out.graph_nodes_min = std::min<Index>(out.graph_nodes_min, start[g + 1] - start[g]);
    out.graph_nodes_max = std::max<Index>(out.graph_nodes_max, start[g + 1] - start[g]);
  }
}

SplitSetSummary summarise_splits(const std::string& name, const std::vector<Split>& splits) {
  SplitSetSummary out;
  out.name = name;
  out.splits = static_cast<Index>(splits.size());
  const auto sizes = [](const Split& s) { return std::array{s.train.size(), s.val.size(), s.test.size()}; };
  if (splits.empty()) return out;
  const auto first = sizes(splits.front());
  out.train = static_cast<Index>(first[0]);
  out.val = static_cast<Index>(first[1]);
  out.test = static_cast<Index>(first[2]);
  out.same_sizes =
      std::all_of(splits.begin(), splits.end(), [&](const Split& s) { return sizes(s) == first; });
  return out;
}

}  // namespace

DatasetSummary summarise(const Dataset& dataset, const AdjacencyOptions& how) {
  DatasetSummary out;
  out.name = dataset.name;
  out.task = dataset.task;
  summarise_graphs(dataset, out);
  out.edge_rows = static_cast<Index>(dataset.graph.edges.size());
  out.self_loops = std::count_if(dataset.graph.edges.begin(), dataset.graph.edges.end(),
                                 [](const Edge& e) { return e.from == e.to; });
  out.directed = dataset.graph.directed && how.keep_direction;
  out.nodes = dataset.graph.nodes;
  out.classes = dataset.classes;
  out.weighted = how.use_weights && !dataset.graph.weight.empty();
  summarise_types(dataset.graph, out);
  AdjacencyOptions pairs = how;
  pairs.keep_self_loops = false;
  const Csr a = adjacency(dataset.graph, pairs);
  out.edges = out.directed ? a.nonzeros() : a.nonzeros() / 2;
  const auto& kind = dataset.task == Task::node ? dataset.label : dataset.node_kind;
  out.homophily = kind.empty() || dataset.is_regression() ? std::nan("") : edge_homophily(a, kind);
  summarise_degrees(a, out);
  summarise_features(dataset.features, out);
  out.class_count.assign(static_cast<std::size_t>(dataset.classes), 0);
  out.targets = dataset.targets;
  for (const auto label : dataset.label) {
    if (label < 0) {
      ++out.unlabelled;
    } else if (!dataset.is_regression()) {
      ++out.class_count[label];
    }
  }
  for (const auto& [name, splits] : dataset.splits) out.split_sets.push_back(summarise_splits(name, splits));
  return out;
}

}  // namespace gdkm
