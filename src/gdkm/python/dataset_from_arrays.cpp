#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gdkm/data/formats/shared/default_features.hpp"
#include "gdkm/dataset/check_dataset.hpp"
#include "gdkm/dataset/feature_columns_text.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/python/dataset.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm::python {

namespace {

using Names = std::optional<std::vector<std::string>>;
using Array = std::optional<AnyArray>;

/// [E, 2] of node numbers in any layout, so that the transpose of a [2, E] needs no copy of its own.
std::vector<Edge> edges_of(const AnyArray& array) {
  if (array.ndim() != 2 || array.shape(1) != 2) refuse("edges: expected two columns, the ends of each edge");
  std::vector<Edge> out(array.shape(0));
  visit_numbers(array, "edges", [&]<class T>(const T* from) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const auto end = [&](std::size_t k, std::int64_t which) {
        const T node = from[static_cast<std::int64_t>(k) * array.stride(0) + which * array.stride(1)];
        if (!std::in_range<std::int32_t>(node))
          refuse("edge {}: node {} is not there; nodes are numbered from 0", k, node);
        return static_cast<std::int32_t>(node);
      };
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = {end(k, 0), end(k, 1)};
    } else if (!out.empty()) {
      refuse("edges: expected whole numbers, the numbers of nodes");
    }
  });
  return out;
}

Features dense_features(const AnyArray& array) {
  Features out;
  out.rows = static_cast<Index>(array.shape(0));
  out.cols = static_cast<Index>(array.shape(1));
  out.dense = to_numbers<float>(array, "x");
  return out;
}

/// (values, columns, starts of rows, number of columns), as SciPy has them.
Features sparse_features(nb::handle parts, Index nodes) {
  Features out;
  out.is_sparse = true;
  out.rows = nodes;
  out.cols = nb::cast<Index>(parts[3]);
  out.sparse.rows = out.rows;
  out.sparse.cols = out.cols;
  const auto column = [&](int k) { return nb::cast<AnyArray>(parts[k]); };
  out.sparse.value = to_numbers<double>(column(0), "x");
  out.sparse.col = to_numbers<std::int32_t>(column(1), "x");
  out.sparse.row_start = to_numbers<Index>(column(2), "x");
  const Csr& matrix = out.sparse;
  const std::vector<Index>& start = matrix.row_start;
  if (static_cast<Index>(start.size()) != nodes + 1 || start.front() != 0 ||
      start.back() != matrix.nonzeros() || !std::is_sorted(start.begin(), start.end()) ||
      matrix.value.size() != matrix.col.size())
    refuse("x: the sparse matrix is not in compressed row storage");
  return out;
}

/// An array, the parts of a sparse matrix, another data set with which they are shared, the name of default
/// features, or None for those that suit.
void set_features(nb::handle given, Dataset& out) {
  if (nb::isinstance<PythonDataset>(given)) {
    const auto& other = nb::cast<const PythonDataset&>(given);
    out.features = other->features;
    out.columns = other->columns;
  } else if (nb::isinstance<nb::tuple>(given)) {
    out.features = sparse_features(given, out.graph.nodes);
  } else if (given.is_none() || nb::isinstance<nb::str>(given)) {
    std::optional<DefaultFeatures> kind;
    if (!given.is_none()) {
      const std::string name = nb::cast<std::string>(given);
      if (name == "degree") kind = DefaultFeatures::degree;
      if (name == "identity") kind = DefaultFeatures::identity;
      if (name == "ones") kind = DefaultFeatures::ones;
      if (!kind) refuse("x: expected an array, or one of degree, identity and ones, got '{}'", name);
    }
    // Nodes of one graph are not those of another, so what is known of all is their degrees.
    if (out.task == Task::graph && kind.value_or(DefaultFeatures::degree) == DefaultFeatures::degree) {
      set_degree_features(out.name, out.graph, out.features, out.columns);
    } else {
      set_default_features(kind, out);
      name_columns_of_nodes(out);
    }
  } else {
    out.features = dense_features(nb::cast<AnyArray>(given));
  }
}

void set_labels(const Array& label, const Array& target, int classes, Dataset& out) {
  const Index items =
      out.task == Task::graph ? static_cast<Index>(out.graph_start.size()) - 1 : out.graph.nodes;
  out.classes = classes;
  out.label = label ? to_numbers<std::int32_t>(*label, "y")
                    : std::vector<std::int32_t>(static_cast<std::size_t>(std::max<Index>(items, 0)), -1);
  if (!target) return;
  out.targets = static_cast<int>(target->ndim() < 2 ? 1 : target->shape(1));
  out.target = to_numbers<float>(*target, "y");
  for (std::size_t k = 0; k < out.target.size(); ++k) {
    const std::size_t item = k / static_cast<std::size_t>(out.targets);
    if (std::isinf(out.target[k]))
      refuse("y: item {} is infinite; use a finite number, or NaN for unknown", item);
    if (item < out.label.size() && k % static_cast<std::size_t>(out.targets) == 0) out.label[item] = 0;
  }
  for (std::size_t k = 0; k < out.target.size(); ++k) {
    const std::size_t item = k / static_cast<std::size_t>(out.targets);
    if (std::isnan(out.target[k]) && item < out.label.size()) out.label[item] = -1;
  }
}

void check_columns_text(const std::optional<std::string>& columns, Dataset& out) {
  if (!columns) return;
  try {
    out.columns = columns_from_text(*columns);
  } catch (const std::invalid_argument& error) {
    refuse("the columns cannot be read: {}", error.what());
  }
}

PythonDataset from_arrays(std::string name, Index nodes, const Array& edges, nb::handle features,
                          const Array& label, const Names& class_names, const Array& target,
                          const Array& weight, const Array& type, const Names& type_names, bool directed,
                          const std::optional<std::string>& columns, const Names& node_names,
                          const Array& graph_start, const Array& node_kind, const nb::dict& splits,
                          std::string source, int classes, const Names& remarks) {
  Dataset out;
  out.name = std::move(name);
  out.source = std::move(source);
  if (!std::in_range<std::int32_t>(nodes))
    refuse("the graph has {} nodes, the limit is 2147483647; use a part of it", nodes);
  out.graph.nodes = nodes;
  out.graph.directed = directed;
  if (edges) out.graph.edges = edges_of(*edges);
  if (weight) out.graph.weight = to_numbers<float>(*weight, "edge_weight");
  if (type) out.graph.type = to_numbers<std::int32_t>(*type, "edge_type");
  if (type_names) out.graph.type_names = *type_names;
  check_graph(out.graph);  // before degrees are counted
  if (node_names) out.node_names = *node_names;
  if (graph_start) {
    out.task = Task::graph;
    out.graph_start = to_numbers<std::int32_t>(*graph_start, "graph_start");
    if (node_kind) out.node_kind = to_numbers<std::int32_t>(*node_kind, "node_kind");
  }
  set_features(features, out);
  check_columns_text(columns, out);
  set_labels(label, target, classes, out);
  if (class_names) out.class_names = *class_names;
  if (remarks) out.remarks.insert(out.remarks.end(), remarks->begin(), remarks->end());
  out.splits = splits_from(splits);
  const nb::gil_scoped_release released;
  check_dataset(out);
  return wrapped(std::move(out));
}

}  // namespace

void add_from_arrays(nb::class_<PythonDataset>& dataset) {
  using nb::arg;
  dataset.def_static("from_arrays", &from_arrays, nb::kw_only(), arg("name"), arg("nodes"),
                     arg("edges") = nb::none(), arg("features") = nb::none(), arg("label") = nb::none(),
                     arg("class_names") = nb::none(), arg("target") = nb::none(), arg("weight") = nb::none(),
                     arg("type") = nb::none(), arg("type_names") = nb::none(), arg("directed") = false,
                     arg("columns") = nb::none(), arg("node_names") = nb::none(),
                     arg("graph_start") = nb::none(), arg("node_kind") = nb::none(), arg("splits"),
                     arg("source") = std::string(), arg("classes") = 0, arg("remarks") = nb::none());
}

}  // namespace gdkm::python
