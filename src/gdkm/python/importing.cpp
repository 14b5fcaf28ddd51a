#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gdkm/data/formats/csv/csv_graph.hpp"
#include "gdkm/data/formats/node_link/node_link.hpp"
#include "gdkm/data/formats/shared/attributed_graph.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/python/dataset.hpp"

namespace gdkm::python {

namespace nb = nanobind;

namespace {

using Table = std::optional<std::string>;

std::string word(const nb::dict& words, const char* name) {
  return words.contains(name) ? nb::cast<std::string>(words[name]) : std::string();
}

/// What somebody says about columns: {"categories": […], "ordinal": {name: […]}, "ignore_columns": […],
/// "refuse_missing": bool}.
ColumnRules rules_from(const nb::dict& said) {
  using Names = std::vector<std::string>;
  ColumnRules out;
  out.categories = nb::cast<Names>(said["categories"]);
  out.ignored = nb::cast<Names>(said["ignore_columns"]);
  out.refuse_missing = nb::cast<bool>(said["refuse_missing"]);
  for (const auto& [name, values] : nb::cast<nb::dict>(said["ordinal"]))
    out.ordinals.push_back(
        {nb::cast<std::string>(name), ColumnType::ordinal, nb::cast<Names>(nb::handle(values))});
  return out;
}

PythonDataset named(Dataset dataset, const std::string& name) {
  dataset.name = name;
  return wrapped(std::move(dataset));
}

/// CSV texts of nodes and of edges, of which one may be None.
PythonDataset import_tables(const Table& nodes, const Table& edges, const nb::dict& words,
                            const nb::dict& rules, bool regression, std::optional<bool> directed,
                            const std::string& name) {
  CsvGraphFiles files;
  if (nodes) files.in_memory[files.nodes = "nodes"] = *nodes;
  if (edges) files.in_memory[files.edges = "edges"] = *edges;
  files.names = {.id = word(words, "id"),
                 .source = word(words, "source"),
                 .target = word(words, "target"),
                 .label = word(words, "label"),
                 .weight = word(words, "weight"),
                 .type = word(words, "type")};
  files.rules = rules_from(rules);
  files.regression = regression;
  files.header = true;
  files.directed = directed;
  const nb::gil_scoped_release released;
  ThreadPool pool(0);
  return named(read_csv_graph(files, pool), name);
}

/// A graph in node-link JSON, whose nodes and edges have attributes.
PythonDataset import_node_link(const std::string& json, const nb::dict& words, const nb::dict& rules,
                               bool regression, const std::string& name) {
  const AttributeChoice choice{.label_key = word(words, "label"),
                               .weight_key = word(words, "weight"),
                               .type_key = word(words, "type"),
                               .regression = regression,
                               .rules = rules_from(rules),
                               .directed = std::nullopt,
                               .default_features = std::nullopt};
  const nb::gil_scoped_release released;
  return named(to_dataset(read_node_link({name, json}), choice), name);
}

}  // namespace

void add_importing(nb::module_& module) {
  using nb::arg;
  module.def("import_tables", &import_tables, arg("nodes").none(), arg("edges").none(), arg("words"),
             arg("rules"), arg("regression"), arg("directed").none(), arg("name"));
  module.def("import_node_link", &import_node_link, arg("json"), arg("words"), arg("rules"),
             arg("regression"), arg("name"));
  // The order in which importers number classes and types of edges: n2 before n10.
  module.def("natural_order", [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end(), natural_less);
    return names;
  });
}

}  // namespace gdkm::python
