#include "gdkm/data/formats/npz/pyg_npz.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "gdkm/data/formats/npz/edge_type_arrays.hpp"
#include "gdkm/data/formats/npz/mask_splits.hpp"
#include "gdkm/data/formats/shared/checked_matrix.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// The number of nodes, from the header of the features. It fits into an int32.
Index count_nodes(const NpzReader& archive) {
  if (!archive.contains("x"))
    refuse(archive.path().string() + ": array 'x' is missing; store node features, shape (n, d)");
  const auto shape = archive.header("x").shape;
  const std::string where = archive.path().string() + ": array 'x'";
  if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1)
    refuse("{}: has shape {}; store one row per node, shape (n, d)", where, shape_text(shape));
  if (std::max(shape[0], shape[1]) > std::numeric_limits<std::int32_t>::max()) {
    refuse("{}: has shape {}, the limit is {}; use a part of the graph", where, shape_text(shape),
           std::numeric_limits<std::int32_t>::max());
  }
  return shape[0];
}

Features read_features(const NpzReader& archive) {
  const NpyArray array = archive.read("x");
  Features out;
  out.rows = array.shape()[0];
  out.cols = array.shape()[1];
  out.dense = array.as<float>();
  check_finite(array.where, out);
  return out;
}

std::vector<Edge> read_edges(const NpzReader& archive, Index nodes) {
  const NpyArray array = archive.read("edge_index");
  if (array.shape().size() != 2 || array.shape()[0] != 2) {
    refuse("{}: has shape {}; store two rows, shape (2, E){}", array.where, shape_text(array.shape()),
           array.shape().size() == 2 && array.shape()[1] == 2 ? " (transpose it)" : "");
  }
  const auto wide = array.as<std::int64_t>();
  const std::size_t count = wide.size() / 2;
  std::vector<Edge> out(count);
  for (std::size_t k = 0; k < wide.size(); ++k) {
    if (wide[k] < 0 || wide[k] >= nodes) {
      refuse("{}: edge {} refers to node {}, but x has nodes 0..{}; correct or remove it", array.where,
             k % count, wide[k], nodes - 1);
    }
    (k < count ? out[k].from : out[k - count].to) = static_cast<std::int32_t>(wide[k]);
  }
  return out;
}

std::vector<float> read_pyg_weights(const NpzReader& archive, std::size_t edges) {
  const char* name = archive.contains("edge_weight") ? "edge_weight" : "edge_attr";
  if (!archive.contains(name)) return {};
  const NpyArray array = archive.read(name);
  const auto& shape = array.shape();
  const bool is_column = shape.size() == 1 || (shape.size() == 2 && shape[1] == 1);
  if (!is_column || static_cast<std::size_t>(shape[0]) != edges) {
    refuse("{}: has shape {} for {} edges; store one weight per edge, or leave it out", array.where,
           shape_text(shape), edges);
  }
  auto out = array.as<float>();
  for (std::size_t k = 0; k < edges; ++k) {
    if (out[k] > 0 && std::isfinite(out[k])) continue;
    refuse("{}: edge {} has weight {}; use positive, finite weights, or leave the array out", array.where, k,
           out[k]);
  }
  return out;
}

/// If every edge exists in both directions with the same weight and type, keeps one of each pair and returns
/// true.
bool keep_one_direction(Graph& graph) {
  using Place = std::tuple<std::int32_t, std::int32_t, float, std::int32_t>;
  std::vector<Place> up, down;
  const auto weight = [&](std::size_t k) { return graph.weight.empty() ? 1.0f : graph.weight[k]; };
  const auto type = [&](std::size_t k) { return graph.type.empty() ? 0 : graph.type[k]; };
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const auto [u, v] = graph.edges[k];
    if (u < v) up.emplace_back(u, v, weight(k), type(k));
    if (u > v) down.emplace_back(v, u, weight(k), type(k));
  }
  std::sort(up.begin(), up.end());
  std::sort(down.begin(), down.end());
  if (up != down) return false;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    if (graph.edges[k].from > graph.edges[k].to) continue;
    if (!graph.weight.empty()) graph.weight[kept] = graph.weight[k];
    if (!graph.type.empty()) graph.type[kept] = graph.type[k];
    graph.edges[kept++] = graph.edges[k];
  }
  graph.edges.resize(kept);
  if (!graph.weight.empty()) graph.weight.resize(kept);
  if (!graph.type.empty()) graph.type.resize(kept);
  return true;
}

std::int32_t hot_column(const NpyArray& array, const std::vector<double>& value, Index row, Index cols) {
  std::int32_t out = -1;
  for (Index c = 0; c < cols; ++c) {
    const double v = value[static_cast<std::size_t>(row * cols + c)];
    if (v == 0) continue;
    if (v != 1 || out >= 0) {
      refuse("{}: row {} is not one-hot; store one class per node, shape (n,), -1 for none", array.where,
             row);
    }
    out = static_cast<std::int32_t>(c);
  }
  return out;
}

void read_labels(const NpzReader& archive, Dataset& out) {
  const Index nodes = out.graph.nodes;
  out.label.assign(static_cast<std::size_t>(nodes), -1);
  if (!archive.contains("y")) return;
  const NpyArray array = archive.read("y");
  const auto& shape = array.shape();
  if (shape.empty() || shape.size() > 2 || shape[0] != nodes) {
    refuse("{}: has shape {}, but x has {} nodes; store one class per node", array.where, shape_text(shape),
           nodes);
  }
  if (shape.size() == 2 && shape[1] > 1) {
    if (shape[1] > nodes) {
      refuse("{}: has {} classes for {} nodes; store one class per node, shape (n,)", array.where, shape[1],
             nodes);
    }
    const auto value = array.as<double>();
    for (Index r = 0; r < nodes; ++r) {
      out.label[static_cast<std::size_t>(r)] = hot_column(array, value, r, shape[1]);
    }
    out.classes = static_cast<int>(shape[1]);
    return;
  }
  const auto wide = array.as<std::int64_t>();
  for (std::size_t i = 0; i < wide.size(); ++i) {
    if (wide[i] < -1 || wide[i] >= nodes)
      refuse("{}: node {} has class {}; number classes 0..C-1, -1 for none", array.where, i, wide[i]);
    out.label[i] = static_cast<std::int32_t>(wide[i]);
    out.classes = std::max(out.classes, static_cast<int>(wide[i]) + 1);
  }
}

}  // namespace

bool is_pyg_npz(const NpzReader& archive) {
  return archive.contains("edge_index");
}

Dataset read_pyg_npz(const std::filesystem::path& path, std::optional<bool> directed) {
  const NpzReader archive(path);
  Dataset out;
  out.name = path.stem().string();
  out.graph.nodes = count_nodes(archive);
  out.features = read_features(archive);
  out.graph.edges = read_edges(archive, out.graph.nodes);
  out.graph.weight = read_pyg_weights(archive, out.graph.edges.size());
  read_edge_types(archive, out.graph);
  if (directed) {
    out.graph.directed = *directed;
  } else {
    out.graph.directed = !keep_one_direction(out.graph);
  }
  read_labels(archive, out);
  read_pyg_masks(archive, out);
  return out;
}

}  // namespace gdkm
