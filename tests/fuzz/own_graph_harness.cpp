#include "own_graph_harness.hpp"

#include "container.hpp"
#include "gdkm/data/formats/csv/csv_graph.hpp"
#include "gdkm/data/formats/graphml/graphml.hpp"
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
  if (has("ignore")) files.ignored_columns = {"note"};
  if (const auto at = text.find("label:"); at != std::string::npos) files.label_column = text.substr(at + 6);
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
                                      {"classes", &files.classes}}) {
      if (name == known) *path = scratch().write(name, bytes);
    }
  }
  return is_read([&] { check(read_csv_graph(files, pool_for(input))); });
}

bool run_graphml(std::string_view input) {
  const Text text{"my.graphml", std::string(input)};
  const bool is_plain = is_read([&] {
    check(read_graphml(text, {"", "", "", {}, DefaultFeatures::identity}));
  });
  return is_read([&] {
           check(read_graphml(text, {"club", "", "none", true, DefaultFeatures::degree}));
         }) ||
         is_plain;
}

}  // namespace gdkm::fuzzing
