#include "gdkm/data/formats/npz/graph_npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/data/formats/npz/graph_npz_edges.hpp"
#include "gdkm/data/formats/npz/graph_npz_features.hpp"
#include "gdkm/data/formats/npz/graph_npz_items.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// The edges of an undirected graph, each once for each of its types: u <= v, sorted, with its largest
/// weight. Self-loops are kept.
Graph each_once(const Graph& graph) {
  using Row = std::tuple<std::int32_t, std::int32_t, std::int32_t, float>;  // u, v, type, −weight
  std::vector<Row> rows;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const auto [u, v] = graph.edges[k];
    rows.emplace_back(std::min(u, v), std::max(u, v), graph.type[k],
                      graph.weight.empty() ? -1 : -graph.weight[k]);
  }
  std::sort(rows.begin(), rows.end());
  const auto same = [](const Row& a, const Row& b) {
    return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a)) ==
           std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b));
  };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  Graph out;
  for (const auto& [u, v, type, weight] : rows) {
    out.edges.push_back({u, v});
    out.type.push_back(type);
    if (!graph.weight.empty()) out.weight.push_back(-weight);
  }
  return out;
}

void add_edges(const std::string& name, const Graph& graph, NpzWriter& archive) {
  std::vector<std::int64_t> edges;
  for (const auto [from, to] : graph.edges) edges.insert(edges.end(), {from, to});
  const auto rows = static_cast<Index>(graph.edges.size());
  archive.add(name, {rows, 2}, edges);
  if (!graph.weight.empty()) archive.add("edge_weights", {rows}, graph.weight.get());
  if (!graph.type.empty()) archive.add("edge_type", {rows}, graph.type.get());
}

/// Writes one row per edge, each once: u <= v, sorted, with its largest weight. Self-loops are kept. Of a
/// directed graph these rows have neither weights nor types, which belong to the rows of edges_directed.
void write_edges(const Graph& graph, NpzWriter& archive) {
  if (!graph.type_names.empty()) archive.add_strings("edge_type_names", graph.type_names);
  if (!graph.directed && !graph.type.empty()) return add_edges("edges", each_once(graph), archive);
  const Csr a = adjacency(graph, {.keep_direction = false, .use_weights = true, .keep_self_loops = true});
  std::vector<std::int64_t> edges;
  std::vector<float> weights;
  for (Index r = 0; r < graph.nodes; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
      if (a.col[k] < r) continue;
      edges.insert(edges.end(), {r, a.col[k]});
      weights.push_back(static_cast<float>(a.value[k]));
    }
  }
  archive.add("edges", {static_cast<Index>(weights.size()), 2}, edges);
  if (!graph.directed) {
    if (!graph.weight.empty()) archive.add("edge_weights", {static_cast<Index>(weights.size())}, weights);
    return;
  }
  add_edges("edges_directed", graph, archive);
}

}  // namespace

bool is_graph_npz(const NpzReader& archive) {
  const auto arrays = {"edges",        "edges_directed", "node_labels",
                       "node_targets", "node_features",  "feat_data"};
  return std::any_of(arrays.begin(), arrays.end(), [&](const char* name) { return archive.contains(name); });
}

Dataset read_graph_npz(const std::filesystem::path& path, ThreadPool& pool) {
  const NpzReader archive(path);
  Dataset out;
  out.name = path.stem().string();
  read_graph_npz_labels(archive, out);
  // Unpacking takes most of the time, so the two large parts are unpacked in parallel.
  const auto read_part = [&](std::int64_t part) {
    const NpzReader own(path);  // each thread needs its own
    if (part == 1) {
      out.features = read_graph_npz_features(own, out.graph.nodes);
      return;
    }
    read_graph_npz_edges(own, out.graph);
    // Platonov et al. publish directed versions of two graphs, which only the file name reveals.
    if (path.stem().string().ends_with("_directed")) out.graph.directed = true;
  };
  pool.share(2, 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto part = begin; part < end; ++part) read_part(part);
  });
  read_graph_npz_splits_and_names(archive, out);
  out.columns = read_graph_npz_columns(archive, out.features.cols);
  return out;
}

Dataset read_graph_npz(const std::filesystem::path& path) {
  ThreadPool alone(1);
  return read_graph_npz(path, alone);
}

void write_graph_npz(const Dataset& dataset, const std::filesystem::path& path) {
  if (dataset.task != Task::node) {
    refuse(path.string() +
           ": the npz layout holds one graph, but this data set has many; keep its original files");
  }
  NpzWriter archive;
  write_graph_npz_items(dataset, archive);
  write_edges(dataset.graph, archive);
  write_graph_npz_features(dataset.features, archive);
  archive.write(path);
}

}  // namespace gdkm
