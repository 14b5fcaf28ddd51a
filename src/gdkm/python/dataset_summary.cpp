#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "gdkm/dataset/split_spec.hpp"
#include "gdkm/dataset/summary.hpp"
#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/python/dataset.hpp"

namespace gdkm::python {

namespace {

nb::object number_or_none(double value) {
  return std::isnan(value) ? nb::none() : nb::cast(value);
}

nb::dict summary_of(const PythonDataset& self) {
  DatasetSummary s;
  {
    const nb::gil_scoped_release released;
    s = summarise(*self);
  }
  nb::dict out;
  out["name"] = s.name;
  out["task"] = s.task == Task::node ? "node" : "graph";
  if (s.task == Task::graph) {
    out["graphs"] = s.graphs;
    out["graph_nodes_min"] = s.graph_nodes_min;
    out["graph_nodes_max"] = s.graph_nodes_max;
  }
  out["nodes"] = s.nodes;
  out["edges"] = s.edges;
  out["self_loops"] = s.self_loops;
  out["directed"] = self->graph.directed;
  out["weighted"] = s.weighted;
  nb::dict types;
  for (const auto& [name, count] : s.edge_types) types[name.c_str()] = count;
  out["edge_types"] = types;
  out["features"] = s.features;
  out["sparse_features"] = s.sparse_features;
  out["feature_density"] = s.feature_density;
  out["zero_feature_rows"] = s.zero_feature_rows;
  out["classes"] = s.classes;
  out["class_count"] = s.class_count;
  out["targets"] = s.targets;
  out["unlabelled"] = s.unlabelled;
  out["homophily"] = number_or_none(s.homophily);
  out["isolated"] = s.isolated;
  out["degree_min"] = s.degree_min;
  out["degree_median"] = s.degree_median;
  out["degree_mean"] = s.degree_mean;
  out["degree_max"] = s.degree_max;
  nb::dict sets;
  for (const SplitSetSummary& set : s.split_sets) {
    nb::dict each;
    each["splits"] = set.splits;
    each["train"] = set.train;
    each["val"] = set.val;
    each["test"] = set.test;
    each["same_sizes"] = set.same_sizes;
    sets[set.name.c_str()] = each;
  }
  out["splits"] = sets;
  return out;
}

nb::list random_splits_of(const PythonDataset& self, const std::string& spec, std::uint64_t seed, int count) {
  nb::list out;
  for (Split& split : make_splits(parse_split_spec(spec), self->label, seed, count))
    out.append(nb::make_tuple(to_numpy(std::move(split.train)), to_numpy(std::move(split.val)),
                              to_numpy(std::move(split.test))));
  return out;
}

}  // namespace

void add_summary(nb::class_<PythonDataset>& dataset) {
  dataset.def("summary", &summary_of)
      .def("random_splits", &random_splits_of, nb::arg("spec"), nb::arg("seed"), nb::arg("count"))
      .def(
          "fingerprint",
          [](const PythonDataset& self, bool with_splits) { return fingerprint(*self, with_splits); },
          nb::arg("with_splits"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace gdkm::python
