#include "gdkm/data/formats/npz/graph_npz_items.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

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

}  // namespace

// As JSON in an array of one text.
FeatureColumns read_graph_npz_columns(const NpzReader& archive, Index features) {
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

void read_graph_npz_labels(const NpzReader& archive, Dataset& out) {
  if (archive.contains("node_targets")) {
    read_targets(archive, out);
  } else {
    out.label = read_labels(archive);
  }
  out.classes = out.is_regression() ? 0 : 1 + *std::max_element(out.label.begin(), out.label.end());
  out.graph.nodes = static_cast<Index>(out.label.size());
}

void read_graph_npz_splits_and_names(const NpzReader& archive, Dataset& out) {
  out.splits = read_graph_npz_splits(archive, out.label);
  out.class_names = read_names(archive, "class_names", out.classes);
  out.node_names = read_names(archive, "node_names", out.graph.nodes);
  if (!out.class_names.empty()) out.classes = static_cast<int>(out.class_names.size());
}

void write_graph_npz_items(const Dataset& dataset, NpzWriter& archive) {
  const Index nodes = dataset.graph.nodes;
  if (dataset.is_regression()) {
    archive.add("node_targets", {nodes, dataset.targets}, dataset.target);
  } else {
    archive.add("node_labels", {nodes},
                std::vector<std::int64_t>(dataset.label.begin(), dataset.label.end()));
  }
  write_graph_npz_splits(dataset.splits, nodes, archive);
  if (!dataset.class_names.empty()) archive.add_strings("class_names", dataset.class_names);
  if (!dataset.node_names.empty()) archive.add_strings("node_names", dataset.node_names);
  if (dataset.columns.kind != FeatureColumns::Kind::unknown)
    archive.add_strings("feature_columns", {to_text(dataset.columns)});
}

}  // namespace gdkm
