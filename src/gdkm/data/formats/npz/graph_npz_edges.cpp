#include "gdkm/data/formats/npz/graph_npz_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/data/formats/npz/edge_type_arrays.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

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

}  // namespace

void read_graph_npz_edges(const NpzReader& archive, Graph& graph) {
  graph.directed = archive.contains("edges_directed");
  graph.edges = read_edges(archive, edges_array(archive), graph.nodes);
  graph.weight = read_weights(archive, graph.edges.size());
  read_edge_types(archive, graph);
}

}  // namespace gdkm
