#include "gdkm/python/dataset.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "gdkm/dataset/check_dataset.hpp"
#include "gdkm/dataset/feature_columns_text.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::python {

namespace {

using Lists = std::optional<std::vector<std::string>>;

std::vector<std::int32_t> items(nb::handle array) {
  const auto numbers = nb::cast<Column<std::int32_t>>(array);
  std::vector<std::int32_t> out = to_vector(numbers);
  std::sort(out.begin(), out.end());
  return out;
}

/// [E, 2] of node numbers, copied once; numbers beyond 32 bits are no nodes.
template <class T>
std::vector<Edge> edges_from(const Rows<T>& array) {
  if (array.shape(1) != 2) throw InputError("edges: expected two columns, the ends of each edge");
  std::vector<Edge> out(array.shape(0));
  const T* from = array.data();
  for (std::size_t k = 0; k < out.size(); ++k) {
    const auto end = [&](T node) -> std::int32_t {
      if (node < 0 || node > T{2147483647})
        throw InputError("edge " + std::to_string(k) + ": node " + std::to_string(node) +
                         " is not there; nodes are numbered from 0");
      return static_cast<std::int32_t>(node);
    };
    out[k] = {end(from[2 * k]), end(from[2 * k + 1])};
  }
  return out;
}

std::vector<Edge> edges_of(nb::handle array) {
  if (array.is_none()) return {};
  if (nb::isinstance<Rows<std::int32_t>>(array)) return edges_from(nb::cast<Rows<std::int32_t>>(array));
  return edges_from(nb::cast<Rows<std::int64_t>>(array));
}

Features dense_features(const Rows<float>& array) {
  Features out;
  out.rows = static_cast<Index>(array.shape(0));
  out.cols = static_cast<Index>(array.shape(1));
  out.dense = std::vector<float>(array.data(), array.data() + array.size());
  return out;
}

Features sparse_features(nb::handle parts, Index nodes) {
  Features out;
  out.is_sparse = true;
  out.rows = nodes;
  out.cols = nb::cast<Index>(parts[3]);
  out.sparse.rows = out.rows;
  out.sparse.cols = out.cols;
  out.sparse.value = to_vector(nb::cast<Column<double>>(parts[0]));
  out.sparse.col = to_vector(nb::cast<Column<std::int32_t>>(parts[1]));
  const auto starts = nb::cast<Column<std::int64_t>>(parts[2]);
  out.sparse.row_start = std::vector<Index>(starts.data(), starts.data() + starts.size());
  const auto count = static_cast<Index>(out.sparse.col.size());
  const std::vector<Index>& start = std::as_const(out.sparse).row_start;
  if (static_cast<Index>(start.size()) != nodes + 1 || start.front() != 0 || start.back() != count ||
      !std::is_sorted(start.begin(), start.end()) || std::as_const(out.sparse).value.size() != start.back() + std::size_t{0})
    throw InputError("features: the sparse matrix is not in compressed row storage");
  return out;
}

std::map<std::string, std::vector<Split>> splits_from(const nb::dict& sets) {
  std::map<std::string, std::vector<Split>> out;
  for (const auto& [name, splits] : sets) {
    auto& list = out[nb::cast<std::string>(name)];
    for (const nb::handle split : splits) list.push_back(split_from(split));
  }
  return out;
}

PythonDataset from_arrays(std::string name, Index nodes, nb::handle edges, nb::handle features,
                          std::optional<Column<std::int32_t>> label, Lists class_names, nb::handle target,
                          std::optional<Column<float>> weight, std::optional<Column<std::int32_t>> type,
                          Lists type_names, bool directed, std::optional<std::string> columns,
                          Lists node_names, std::optional<Column<std::int32_t>> graph_start,
                          std::optional<Column<std::int32_t>> node_kind, const nb::dict& splits,
                          std::string source, int classes) {
  Dataset out;
  out.name = std::move(name);
  out.source = std::move(source);
  out.graph.nodes = nodes;
  out.graph.edges = edges_of(edges);
  out.graph.directed = directed;
  if (weight) out.graph.weight = to_vector(*weight);
  if (type) out.graph.type = to_vector(*type);
  if (type_names) out.graph.type_names = *type_names;
  out.features = nb::isinstance<Rows<float>>(features) ? dense_features(nb::cast<Rows<float>>(features))
                                                       : sparse_features(features, nodes);
  if (columns) out.columns = columns_from_text(*columns);
  if (graph_start) {
    out.task = Task::graph;
    out.graph_start = to_vector(*graph_start);
    if (node_kind) out.node_kind = to_vector(*node_kind);
  }
  const Index count = graph_start ? static_cast<Index>(out.graph_start.size()) - 1 : nodes;
  out.label = label ? to_vector(*label) : std::vector<std::int32_t>(static_cast<std::size_t>(std::max<Index>(count, 0)), -1);
  out.classes = classes;
  if (!target.is_none()) {
    const auto numbers = nb::cast<Rows<float>>(target);
    out.targets = static_cast<int>(numbers.shape(1));
    out.target = {numbers.data(), numbers.data() + numbers.size()};
  }
  if (class_names) out.class_names = *class_names;
  if (node_names) out.node_names = *node_names;
  out.splits = splits_from(splits);
  check_dataset(out);
  return wrapped(std::move(out));
}

std::size_t size_of(const auto& list) {
  return list.size();
}

nb::object features_of(const PythonDataset& self, nb::handle owner) {
  const Features& x = self->features;
  const auto rows = static_cast<std::size_t>(x.rows), cols = static_cast<std::size_t>(x.cols);
  if (!x.is_sparse) return view_of(x.dense.data(), {rows, cols}, owner);
  return nb::make_tuple(view_of(x.sparse.value.data(), {size_of(x.sparse.value)}, owner),
                        view_of(x.sparse.col.data(), {size_of(x.sparse.col)}, owner),
                        view_of(x.sparse.row_start.data(), {rows + 1}, owner), x.cols);
}

nb::dict splits_of(const PythonDataset& self) {
  nb::dict out;
  for (const auto& [name, splits] : self->splits) {
    nb::list list;
    for (const Split& split : splits)
      list.append(nb::make_tuple(to_numpy(split.train), to_numpy(split.val), to_numpy(split.test)));
    out[name.c_str()] = list;
  }
  return out;
}

}  // namespace

PythonDataset wrapped(Dataset dataset) {
  return {std::make_shared<const Dataset>(std::move(dataset))};
}

Split split_from(nb::handle parts) {
  const std::size_t count = nb::len(parts);
  if (count < 3 || count > 4) throw InputError("a split has three parts: train, val and test");
  Split out{items(parts[0]), items(parts[1]), items(parts[2])};
  if (count == 4) out.conformal = items(parts[3]);
  return out;
}

void add_dataset(nb::module_& module) {
  using Self = const PythonDataset&;
  const auto all = nb::rv_policy::automatic;
  (void)all;
  nb::class_<PythonDataset>(module, "Dataset")
      .def_static("from_arrays", &from_arrays, nb::kw_only(), nb::arg("name"), nb::arg("nodes"),
                  nb::arg("edges").none(), nb::arg("features"), nb::arg("label").none(),
                  nb::arg("class_names").none(), nb::arg("target").none(), nb::arg("weight").none(),
                  nb::arg("type").none(), nb::arg("type_names").none(), nb::arg("directed"),
                  nb::arg("columns").none(), nb::arg("node_names").none(), nb::arg("graph_start").none(),
                  nb::arg("node_kind").none(), nb::arg("splits"), nb::arg("source"), nb::arg("classes"))
      .def_prop_ro("name", [](Self d) { return d->name; })
      .def_prop_ro("source", [](Self d) { return d->source; })
      .def_prop_ro("task", [](Self d) { return d->task == Task::node ? "node" : "graph"; })
      .def_prop_ro("nodes", [](Self d) { return d->graph.nodes; })
      .def_prop_ro("items", [](Self d) { return d->items(); })
      .def_prop_ro("classes", [](Self d) { return d->classes; })
      .def_prop_ro("targets", [](Self d) { return d->targets; })
      .def_prop_ro("directed", [](Self d) { return d->graph.directed; })
      .def_prop_ro("sparse_features", [](Self d) { return d->features.is_sparse; })
      .def_prop_ro("feature_count", [](Self d) { return d->features.cols; })
      .def_prop_ro("class_names", [](Self d) { return d->class_names; })
      .def_prop_ro("node_names", [](Self d) { return d->node_names; })
      .def_prop_ro("edge_type_names", [](Self d) { return d->graph.type_names; })
      .def_prop_ro("remarks", [](Self d) { return d->remarks; })
      .def_prop_ro("columns", [](Self d) { return to_text(d->columns); })
      .def_prop_ro("columns_kind", [](Self d) { return static_cast<int>(d->columns.kind); })
      .def_prop_ro("splits", &splits_of)
      .def_prop_ro("edges",
                   [](nb::handle self) {
                     const auto& d = nb::cast<Self>(self);
                     const auto& edges = d->graph.edges;
                     return view_of(edges.empty() ? nullptr : &edges.get().data()->from, {edges.size(), 2}, self);
                   })
      .def_prop_ro("weight",
                   [](nb::handle self) {
                     const auto& w = nb::cast<Self>(self)->graph.weight;
                     return view_of(w.data(), {w.size()}, self);
                   })
      .def_prop_ro("edge_type",
                   [](nb::handle self) {
                     const auto& t = nb::cast<Self>(self)->graph.type;
                     return view_of(t.data(), {t.size()}, self);
                   })
      .def_prop_ro("features", [](nb::handle self) { return features_of(nb::cast<Self>(self), self); })
      .def_prop_ro("label",
                   [](nb::handle self) {
                     const auto& l = nb::cast<Self>(self)->label;
                     return view_of(l.data(), {l.size()}, self);
                   })
      .def_prop_ro("target",
                   [](nb::handle self) {
                     const auto& d = nb::cast<Self>(self);
                     const auto rows = static_cast<std::size_t>(d->is_regression() ? d->items() : 0);
                     return view_of(d->target.data(), {rows, static_cast<std::size_t>(d->targets)}, self);
                   })
      .def_prop_ro("graph_start",
                   [](nb::handle self) {
                     const auto& s = nb::cast<Self>(self)->graph_start;
                     return view_of(s.data(), {s.size()}, self);
                   })
      .def_prop_ro("node_kind", [](nb::handle self) {
        const auto& k = nb::cast<Self>(self)->node_kind;
        return view_of(k.data(), {k.size()}, self);
      });
}

}  // namespace gdkm::python
