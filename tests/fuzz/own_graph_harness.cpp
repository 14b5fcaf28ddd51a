#include "own_graph_harness.hpp"

#include "container.hpp"
#include "gdkm/data/formats/csv/csv_graph.hpp"
#include "gdkm/data/formats/gexf/gexf.hpp"
#include "gdkm/data/formats/gml/gml.hpp"
#include "gdkm/data/formats/graphml/graphml.hpp"
#include "gdkm/data/formats/node_link/node_link.hpp"
#include "gdkm/data/formats/pajek/pajek.hpp"
#include "scratch.hpp"
#include "verdict.hpp"

namespace gdkm::fuzzing {
namespace {

/// Words that are there are options that are set; the word after "label:" names a column.
void use_options(const std::string& text, CsvGraphFiles& files) {
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (has("header")) files.header = !has("no header");
  if (has("directed")) files.directed = !has("undirected");
  if (has("identity")) files.default_features = DefaultFeatures::identity;
  if (has("ones")) files.default_features = DefaultFeatures::ones;
  files.regression = has("regression");
  if (has("ignore")) files.rules.ignored = {"note"};
  if (has("missing")) files.rules.refuse_missing = true;
  if (has("category")) files.rules.categories = {"height"};
  if (has("ordinal")) files.rules.ordinals = {{"team", ColumnType::ordinal, {"blue", "red"}}};
  if (const auto at = text.find("label:"); at != std::string::npos) files.names.label = text.substr(at + 6);
}

}  // namespace

bool run_csv_graph(std::string_view input) {
  CsvGraphFiles files;
  for (const auto& [name, bytes] : from_container(input)) {
    if (name == "options") use_options(bytes, files);
    for (const auto& [known, path] : {std::pair{"edges", &files.edges},
                                      {"features", &files.features},
                                      {"labels", &files.labels},
                                      {"nodes", &files.nodes},
                                      {"splits", &files.splits},
                                      {"classes", &files.classes},
                                      {"columns", &files.columns}}) {
      if (name == known) *path = scratch().write(name, bytes);
    }
    if (name == "adjlist") {
      const auto file = scratch().write("edges.adjlist", bytes);
      files.edges = file;
    }
  }
  return is_read([&] { check(read_csv_graph(files, pool_for(input))); });
}

namespace {

/// Reads an input with what is found by default, and with what somebody asks for.
template <class Read>
bool run_attributed(std::string_view input, const char* name, Read read) {
  const Text text{name, std::string(input)};
  AttributeChoice asked;
  asked.label_key = "club";
  asked.type_key = "none";
  asked.directed = true;
  asked.rules.categories = {"age"};
  const bool is_plain = is_read([&] { check(to_dataset(read(text, std::nullopt), {})); });
  return is_read([&] { check(to_dataset(read(text, asked.directed), asked)); }) || is_plain;
}

}  // namespace

bool run_graphml(std::string_view input) {
  return run_attributed(input, "my.graphml", read_graphml);
}

bool run_gexf(std::string_view input) {
  return run_attributed(input, "my.gexf", [](const Text& text, auto) { return read_gexf(text); });
}

bool run_gml(std::string_view input) {
  looks_like_gml(input);
  return run_attributed(input, "my.gml", [](const Text& text, auto) { return read_gml(text); });
}

bool run_pajek(std::string_view input) {
  looks_like_pajek(input);
  return run_attributed(input, "my.net", [](const Text& text, auto) { return read_pajek(text); });
}

bool run_node_link(std::string_view input) {
  return run_attributed(input, "my.json", [](const Text& text, auto) { return read_node_link(text); });
}

}  // namespace gdkm::fuzzing
