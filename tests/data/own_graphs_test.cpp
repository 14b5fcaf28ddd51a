#include <gtest/gtest.h>

#include <filesystem>

#include "gdkm/data/formats/import_graph.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/gdkm.hpp"
#include "tests/places.hpp"

namespace gdkm {
namespace {

const std::filesystem::path graphs = GDKM_TEST_DIR "/data/own_graphs";

/// A graph as people have it, from its file to predictions with default options.
struct OwnGraph {
  const char* name;
  const char* file;  // read directly, or with an import where there is more to say
  std::function<void(ImportRequest&)> request;
  Index nodes;
  std::size_t columns;  // of its table
  double margin;        // of test accuracy over the share of the largest class, in points
};

std::ostream& operator<<(std::ostream& out, const OwnGraph& graph) {
  return out << graph.name;
}

const OwnGraph own_graphs[] = {
    {"NetworkXKarateGraphMl", "karate.graphml", {}, 34, 0, 30},
    {"NetworkXGraphMl", "customers.graphml", {}, 80, 4, 20},
    {"NetworkXGml", "customers.gml", {}, 90, 3, 20},
    {"NetworkXGexf", "customers.gexf", {}, 70, 4, 20},
    {"NetworkXNodeLink", "customers.json", {}, 100, 4, 20},
    {"NetworkXEdgeList", "papers.edgelist",
     [](ImportRequest& request) { request.csv.labels = graphs / "papers.csv"; }, 150, 0, 40},
    {"PandasFolder", "pandas", {}, 150, 4, 20},
    {"IgraphGraphMl", "stations.graphml", {}, 80, 2, 30},
    {"IgraphGml", "clubs.gml", {}, 90, 2, 30},
    {"PygArrays", "papers.npz", {}, 140, 0, 40},
    {"Spreadsheet", "spreadsheet-edges.csv",
     [](ImportRequest& request) {
       request.csv.nodes = graphs / "spreadsheet-nodes.csv";
       request.csv.names.id = "Kunde";
       request.csv.names.label = "Gruppe";
       request.csv.names.weight = "Gewicht";
       request.csv.rules.ignored = {"seit"};
     },
     150, 3, 20},
    {"GephiTables", "gephi", {}, 150, 4, 20},
};

class OwnGraphs : public ::testing::TestWithParam<OwnGraph> {};

TEST_P(OwnGraphs, GoFromFileToPredictionsAboveTheMajority) {
  const OwnGraph& own = GetParam();
  Dataset data;
  if (own.request) {
    ImportRequest request;
    request.file = graphs / own.file;
    own.request(request);
    data = import_graph(request, 1);
  } else {
    data = load((graphs / own.file).string(), {}, 1);
  }
  EXPECT_EQ(data.graph.nodes, own.nodes);
  EXPECT_EQ(data.columns.kind == FeatureColumns::Kind::table ? data.columns.table.size() : 0u, own.columns);
  Settings settings;
  settings.device.threads = 1;
  const Split split = choose_splits(settings.split, data)[0];
  const Predictions predictions = fit(data, split, settings).predict(data);
  Index right = 0;
  std::vector<Index> count(static_cast<std::size_t>(data.classes));
  for (const auto node : split.test) {
    const auto label = data.label[static_cast<std::size_t>(node)];
    right += predictions.predicted_class(node) == label ? 1 : 0;
    ++count[static_cast<std::size_t>(label)];
  }
  const auto tested = static_cast<double>(split.test.size());
  const double accuracy = 100 * static_cast<double>(right) / tested;
  const double majority = 100 * static_cast<double>(*std::max_element(count.begin(), count.end())) / tested;
  EXPECT_GE(accuracy, majority + own.margin) << "the largest class has " << majority << " %";
  RecordProperty("accuracy", std::to_string(accuracy));
  RecordProperty("majority", std::to_string(majority));
}

INSTANTIATE_TEST_SUITE_P(All, OwnGraphs, ::testing::ValuesIn(own_graphs),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace gdkm
