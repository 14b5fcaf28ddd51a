#include "gdkm/data/formats/npz/graph_npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/data/formats/npz/edge_type_arrays.hpp"
#include "gdkm/data/formats/npz/graph_npz_features.hpp"
#include "gdkm/data/formats/npz/mask_splits.hpp"
#include "gdkm/dataset/feature_columns_text.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr std::int64_t most_nodes = std::numeric_limits<std::int32_t>::max();

std::vector<std::int32_t> read_labels(const NpzReader& archive) {
  const std::string where = archive.path().string() + ": array 'node_labels'";
  if (archive.contains("node_labels")) {
    // Check the header before reading billions of labels.
    const auto shape = archive.header("node_labels").shape;
    if (shape.size() != 1)
      refuse("{}: has shape {}; store one class per node, shape (n,)", where, shape_text(shape));
    if (shape[0] == 0) refuse(where + ": has zero nodes; a graph needs at least one");
    if (shape[0] > most_nodes)
      refuse("{}: has {} nodes, the limit is {}; use a part of the graph", where, shape[0], most_nodes);
  }
  const auto wide = archive.read("node_labels").as<std::int64_t>();
  const auto nodes = static_cast<std::int64_t>(wide.size());
  for (std::int64_t i = 0; i < nodes; ++i) {
    if (wide[i] < -1) refuse("{}: node {} has label {}; use 0..C-1, or -1 for no label", where, i, wide[i]);
    if (wide[i] >= nodes) {
      refuse("{}: node {} has label {}, but {} nodes have at most {} classes; number them 0..C-1", where, i,
             wide[i], nodes, nodes);
    }
  }
  return {wide.begin(), wide.end()};
}

/// Reads the numbers to predict; NaN means unknown.
void read_targets(const NpzReader& archive, Dataset& out) {
  const std::string where = archive.path().string() + ": array 'node_targets'";
  if (archive.contains("node_labels"))
    refuse(where + ": 'node_labels' exists too; store either classes or numbers to predict");
  const auto shape = archive.header("node_targets").shape;
  if ((shape.size() != 1 && shape.size() != 2) || (shape.size() == 2 && shape[1] == 0)) {
    refuse("{}: has shape {}; store one number per node, shape (n,), or several, (n, k)", where,
           shape_text(shape));
  }
  if (shape[0] == 0) refuse(where + ": has zero nodes; a graph needs at least one");
  if (shape[0] > most_nodes || (shape.size() == 2 && shape[1] > 1'000'000))
    refuse("{}: the shape {} is too large; use a part of the graph", where, shape_text(shape));
  out.targets = shape.size() == 1 ? 1 : static_cast<int>(shape[1]);
  out.target = archive.read_as<float>("node_targets");
  out.label.assign(static_cast<std::size_t>(shape[0]), 0);
  for (std::size_t k = 0; k < out.target.size(); ++k) {
    if (std::isinf(out.target[k])) {
      refuse("{}: node {} is infinite; use a finite number, or NaN for unknown", where,
             k / static_cast<std::size_t>(out.targets));
    }
    if (std::isnan(out.target[k])) out.label[k / static_cast<std::size_t>(out.targets)] = -1;
  }
}

/// `edges_directed` if it exists: the same pairs as `edges`, with their direction.
const char* edges_array(const NpzReader& archive) {
  return archive.contains("edges_directed") ? "edges_directed" : "edges";
}

std::vector<Edge> read_edges(const NpzReader& archive, const char* name, std::int64_t nodes) {
  const std::string where = fmt::format("{}: array '{}'", archive.path().string(), name);
  const auto shape = archive.header(name).shape;
  const auto is_empty = [](std::int64_t extent) { return extent == 0; };
  if (std::any_of(shape.begin(), shape.end(), is_empty)) return {};
  if (shape.size() != 2 || shape[1] != 2) {
    refuse("{}: has shape {}; store one pair of nodes per row, shape (E, 2){}", where, shape_text(shape),
           !shape.empty() && shape[0] == 2 ? " (transpose it)" : "");
  }
  std::vector<Edge> edges;
  std::int32_t from = 0;
  archive.for_each_piece<std::int64_t>(name, [&](std::span<const std::int64_t> piece, std::int64_t first) {
    if (edges.empty())
      edges.reserve(
          std::min<std::size_t>(static_cast<std::size_t>(shape[0]), archive.packed_size(name) * 100));
    for (std::size_t k = 0; k < piece.size(); ++k) {
      const std::int64_t at = first + static_cast<std::int64_t>(k);
      if (piece[k] < 0 || piece[k] >= nodes) {
        refuse("{}: row {} refers to node {}, but nodes are numbered 0..{}; correct or remove the row", where,
               at / 2, piece[k], nodes - 1);
      }
      const auto node = static_cast<std::int32_t>(piece[k]);
      if (at % 2 == 0) {
        from = node;
      } else {
        edges.push_back({from, node});
      }
    }
  });
  return edges;
}

std::vector<float> read_weights(const NpzReader& archive, std::size_t edges) {
  if (!archive.contains("edge_weights")) return {};
  const NpyArray array = archive.read("edge_weights");
  const auto weights = array.as<float>();
  if (weights.size() != edges) {
    refuse("{}: has {} weights for {} rows of '{}'; store one per row", array.where, weights.size(), edges,
           edges_array(archive));
  }
  for (std::size_t k = 0; k < edges; ++k) {
    if (!(weights[k] > 0) || !std::isfinite(weights[k])) {
      refuse("{}: edge {} has weight {}; use positive, finite weights, and remove edges of weight 0",
             array.where, k, weights[k]);
    }
  }
  return weights;
}

/// Names of classes or nodes. There may be names for classes that no label uses.
std::vector<std::string> read_names(const NpzReader& archive, const std::string& name, Index least) {
  if (!archive.contains(name)) return {};
  const NpyArray array = archive.read(name);
  auto names = array.strings();
  const bool is_right = name == "class_names" ? static_cast<Index>(names.size()) >= least
                                              : static_cast<Index>(names.size()) == least;
  if (!is_right) {
    refuse("{}: has {} names, expected {}; store one for each, or leave the array out", array.where,
           names.size(), least);
  }
  return names;
}

/// What the feature columns are, as JSON in an array of one text.
FeatureColumns read_columns(const NpzReader& archive, Index features) {
  if (!archive.contains("feature_columns")) return {};
  const NpyArray array = archive.read("feature_columns");
  const auto texts = array.strings();
  try {
    if (texts.size() != 1) throw std::invalid_argument("expected one text");
    FeatureColumns out = columns_from_text(texts.front());
    if (out.width() != features) throw std::invalid_argument("they do not fit the features");
    out.where = archive.path().string();
    return out;
  } catch (const std::invalid_argument& error) {
    refuse("{}: the columns cannot be read ({}); import the table again, or leave the array out", array.where,
           error.what());
  }
}

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
  if (archive.contains("node_targets")) {
    read_targets(archive, out);
  } else {
    out.label = read_labels(archive);
  }
  out.classes = out.is_regression() ? 0 : 1 + *std::max_element(out.label.begin(), out.label.end());
  out.graph.nodes = static_cast<Index>(out.label.size());
  // Unpacking takes most of the time, so the two large parts are unpacked in parallel.
  const auto read_part = [&](std::int64_t part) {
    const NpzReader own(path);  // each thread needs its own
    if (part == 1) {
      out.features = read_graph_npz_features(own, out.graph.nodes);
      return;
    }
    const char* edges = edges_array(own);
    // Platonov et al. publish directed versions of two graphs, which only the file name reveals.
    out.graph.directed = own.contains("edges_directed") || path.stem().string().ends_with("_directed");
    out.graph.edges = read_edges(own, edges, out.graph.nodes);
    out.graph.weight = read_weights(own, out.graph.edges.size());
    read_edge_types(own, out.graph);
  };
  pool.share(2, 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto part = begin; part < end; ++part) read_part(part);
  });
  out.splits = read_graph_npz_splits(archive, out.label);
  out.class_names = read_names(archive, "class_names", out.classes);
  out.node_names = read_names(archive, "node_names", out.graph.nodes);
  if (!out.class_names.empty()) out.classes = static_cast<int>(out.class_names.size());
  out.columns = read_columns(archive, out.features.cols);
  return out;
}

Dataset read_graph_npz(const std::filesystem::path& path) {
  ThreadPool alone(1);
  return read_graph_npz(path, alone);
}

void write_graph_npz(const Dataset& dataset, const std::filesystem::path& path) {
  const Index nodes = dataset.graph.nodes;
  if (dataset.task != Task::node) {
    refuse(path.string() +
           ": the npz layout holds one graph, but this data set has many; keep its original files");
  }
  NpzWriter archive;
  if (dataset.is_regression()) {
    archive.add("node_targets", {nodes, dataset.targets}, dataset.target);
  } else {
    archive.add("node_labels", {nodes},
                std::vector<std::int64_t>(dataset.label.begin(), dataset.label.end()));
  }
  write_edges(dataset.graph, archive);
  write_graph_npz_features(dataset.features, archive);
  write_graph_npz_splits(dataset.splits, nodes, archive);
  if (!dataset.class_names.empty()) archive.add_strings("class_names", dataset.class_names);
  if (!dataset.node_names.empty()) archive.add_strings("node_names", dataset.node_names);
  if (dataset.columns.kind != FeatureColumns::Kind::unknown)
    archive.add_strings("feature_columns", {to_text(dataset.columns)});
  archive.write(path);
}

}  // namespace gdkm
