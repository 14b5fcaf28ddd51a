#include "gdkm/python/dataset.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "gdkm/dataset/check_dataset.hpp"
#include "gdkm/dataset/feature_columns_text.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/python/spelling.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/option_mention.hpp"

namespace gdkm::python {

namespace {

std::vector<std::int32_t> items(nb::handle array) {
  const auto numbers = nb::cast<Column<std::int32_t>>(array);
  std::vector<std::int32_t> out = to_vector(numbers);
  std::sort(out.begin(), out.end());
  return out;
}

/// What the columns are, as JSON; None where nobody said.
nb::object columns_of(const PythonDataset& self) {
  if (self->columns.kind == FeatureColumns::Kind::unknown) return nb::none();
  return nb::cast(to_text(self->columns));
}

/// One per column of X; empty where columns have no names.
std::vector<std::string> feature_names_of(const PythonDataset& self) {
  std::vector<std::string> out;
  for (const TableColumn& column : self->columns.table) {
    for (Index k = 0; k < column.width(); ++k) out.push_back(column.feature_name(k));
  }
  return out;
}

std::vector<std::string> remarks_of(const PythonDataset& self) {
  std::vector<std::string> out;
  for (const std::string& remark : self->remarks) out.push_back(spell_options(remark, python_spelling));
  return out;
}

PythonDataset with_splits(const PythonDataset& self, const nb::dict& splits) {
  Dataset out = *self;
  out.splits = splits_from(splits);
  check_splits(out);
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

std::map<std::string, std::vector<Split>> splits_from(const nb::dict& sets) {
  std::map<std::string, std::vector<Split>> out;
  for (const auto& [name, splits] : sets) {
    auto& list = out[nb::cast<std::string>(name)];
    for (const nb::handle split : splits) list.push_back(split_from(split));
  }
  return out;
}

void add_dataset(nb::module_& module) {
  using Self = const PythonDataset&;
  nb::class_<PythonDataset> dataset(module, "Dataset");
  add_from_arrays(dataset);
  add_summary(dataset);
  dataset.def_prop_ro("name", [](Self d) { return d->name; })
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
      .def_prop_ro("remarks", &remarks_of)
      .def_prop_ro("columns", &columns_of)
      .def_prop_ro("feature_names", &feature_names_of)
      .def("with_splits", &with_splits, nb::arg("splits"))
      .def_prop_ro("splits", &splits_of)
      .def_prop_ro(
          "edges",
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
