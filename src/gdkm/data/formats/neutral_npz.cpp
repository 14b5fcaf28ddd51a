#include "gdkm/data/formats/neutral_npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/data/formats/neutral_features.hpp"
#include "gdkm/data/formats/neutral_splits.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/npz.hpp"
#include "gdkm/support/npz_writer.hpp"

namespace gdkm {
namespace {

constexpr std::int64_t most_nodes = std::numeric_limits<std::int32_t>::max();

std::vector<std::int32_t> read_labels(const NpzReader& archive) {
  const std::string where = archive.path().string() + ": array 'node_labels'";
  if (archive.contains("node_labels")) {
    // Checked in the header, before billions of labels are read in vain.
    const auto shape = archive.header("node_labels").shape;
    if (shape.size() != 1) {
      throw InputError(
          fmt::format("{}: has shape {}; store one class per node, shape (n,)", where, shape_text(shape)));
    }
    if (shape[0] == 0) throw InputError(where + ": has zero nodes; a graph needs at least one");
    if (shape[0] > most_nodes) {
      throw InputError(fmt::format("{}: has {} nodes, beyond the limit of {}; use a part of the graph", where,
                                   shape[0], most_nodes));
    }
  }
  const auto wide = archive.read("node_labels").as<std::int64_t>();
  const auto nodes = static_cast<std::int64_t>(wide.size());
  for (std::int64_t i = 0; i < nodes; ++i) {
    if (wide[i] < -1) {
      throw InputError(
          fmt::format("{}: node {} has label {}; use 0..C-1, or -1 for no label", where, i, wide[i]));
    }
    if (wide[i] >= nodes) {
      throw InputError(
          fmt::format("{}: node {} has label {}, but {} nodes have at most {} classes; number them 0..C-1",
                      where, i, wide[i], nodes, nodes));
    }
  }
  return {wide.begin(), wide.end()};
}

std::vector<Edge> read_edges(const NpzReader& archive, std::int64_t nodes) {
  const NpyArray array = archive.read("edges");
  if (array.size() == 0) return {};
  if (array.shape().size() != 2 || array.shape()[1] != 2) {
    throw InputError(fmt::format("{}: has shape {}; store one pair of nodes a row, shape (E, 2){}",
                                 array.where, shape_text(array.shape()),
                                 array.shape()[0] == 2 ? " (transpose it)" : ""));
  }
  const auto wide = array.as<std::int64_t>();
  std::vector<Edge> edges(wide.size() / 2);
  for (std::size_t k = 0; k < wide.size(); ++k) {
    if (wide[k] < 0 || wide[k] >= nodes) {
      throw InputError(
          fmt::format("{}: row {} names node {}, but nodes are numbered 0..{}; correct or remove the row",
                      array.where, k / 2, wide[k], nodes - 1));
    }
    (k % 2 == 0 ? edges[k / 2].from : edges[k / 2].to) = static_cast<std::int32_t>(wide[k]);
  }
  return edges;
}

std::vector<float> read_weights(const NpzReader& archive, std::size_t edges) {
  if (!archive.contains("edge_weights")) return {};
  const NpyArray array = archive.read("edge_weights");
  const auto weights = array.as<float>();
  if (weights.size() != edges) {
    throw InputError(fmt::format("{}: has {} weights for {} rows of 'edges'; store one per row", array.where,
                                 weights.size(), edges));
  }
  for (std::size_t k = 0; k < edges; ++k) {
    if (!(weights[k] > 0) || !std::isfinite(weights[k])) {
      throw InputError(
          fmt::format("{}: edge {} has weight {}; use positive, finite weights (leave out edges of weight 0)",
                      array.where, k, weights[k]));
    }
  }
  return weights;
}

}  // namespace

Dataset read_neutral_npz(const std::filesystem::path& path) {
  const NpzReader archive(path);
  Dataset out;
  out.name = path.stem().string();
  out.label = read_labels(archive);
  out.classes = 1 + *std::max_element(out.label.begin(), out.label.end());
  out.graph.nodes = static_cast<Index>(out.label.size());
  out.graph.edges = read_edges(archive, out.graph.nodes);
  out.graph.weight = read_weights(archive, out.graph.edges.size());
  out.features = read_neutral_features(archive, out.graph.nodes);
  out.splits = read_neutral_splits(archive, out.label);
  return out;
}

void write_neutral_npz(const Dataset& dataset, const std::filesystem::path& path) {
  const Index nodes = dataset.graph.nodes;
  NpzWriter archive;
  archive.add("node_labels", {nodes}, std::vector<std::int64_t>(dataset.label.begin(), dataset.label.end()));
  const Csr a = adjacency(dataset.graph);
  std::vector<std::int64_t> edges;
  std::vector<float> weights;
  for (Index r = 0; r < nodes; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
      if (a.col[k] < r) continue;
      edges.insert(edges.end(), {r, a.col[k]});
      weights.push_back(static_cast<float>(a.value[k]));
    }
  }
  archive.add("edges", {static_cast<Index>(weights.size()), 2}, edges);
  if (!dataset.graph.weight.empty())
    archive.add("edge_weights", {static_cast<Index>(weights.size())}, weights);
  write_neutral_features(dataset.features, archive);
  write_neutral_splits(dataset.splits, nodes, archive);
  archive.write(path);
}

}  // namespace gdkm
