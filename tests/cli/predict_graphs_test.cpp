#include <algorithm>
#include <cmath>
#include <sstream>

#include "gdkm/support/safetensors.hpp"
#include "tests/cli/run_program.hpp"

namespace gdkm::testing {
namespace {

/// A path through nodes of these labels.
struct PathGraph {
  std::vector<int> labels;
  std::string graph_class;
};

/// Models of graphs in the TU text format, and other folders to predict on.
class PredictGraphs : public Program {
 protected:
  /// The first eight have the labels 0 and 2, the others 1, too.
  static std::vector<PathGraph> graphs() {
    std::vector<PathGraph> out;
    for (int k = 0; k < 12; ++k) {
      const int other = k < 8 ? 2 : 1;
      out.push_back(k % 2 == 0 ? PathGraph{{0, 0, other}, "-1"} : PathGraph{{2, 2, other, 2}, "1"});
    }
    return out;
  }
  static std::vector<PathGraph> first_graphs() {
    auto out = graphs();
    out.resize(8);
    return out;
  }
  void write(const std::string& name, const std::vector<PathGraph>& graphs) const {
    std::string indicator, classes, labels, edges;
    int node = 0;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      for (std::size_t k = 0; k < graphs[g].labels.size(); ++k) {
        ++node;
        indicator += std::to_string(g + 1) + "\n";
        labels += std::to_string(graphs[g].labels[k]) + "\n";
        if (k > 0) edges += std::to_string(node - 1) + ", " + std::to_string(node) + "\n";
      }
      classes += graphs[g].graph_class + "\n";
    }
    std::filesystem::create_directories(folder_ / name);
    write_bytes(folder_ / name / "DS_A.txt", edges);
    write_bytes(folder_ / name / "DS_graph_indicator.txt", indicator);
    write_bytes(folder_ / name / "DS_graph_labels.txt", classes);
    write_bytes(folder_ / name / "DS_node_labels.txt", labels);
  }
  void remove(const std::string& file) const { std::filesystem::remove(folder_ / file); }

  void train(const std::string& data, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"train",    data,     "--inducing",       "5",
                                       "--epochs", "5",      "--quiet",          "--threads",
                                       "1",        "--save", "model.safetensors"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    done(arguments);
  }
  /// The class and the probabilities of each graph.
  std::vector<std::vector<double>> predict(const std::string& data) const {
    std::istringstream lines(done({"predict", "model.safetensors", data, "--threads", "1"}).out);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "id,class,-1,1");
    std::vector<std::vector<double>> out;
    while (std::getline(lines, line)) {
      std::istringstream fields(line);
      out.emplace_back();
      std::string field;
      std::getline(fields, field, ',');
      while (std::getline(fields, field, ',')) out.back().push_back(std::stod(field));
    }
    return out;
  }
  /// Predictions on `part` are those that its graphs have among all.
  void expect_first_of(const std::string& whole, const std::string& part, std::size_t graphs) const {
    const auto all = predict(whole), some = predict(part);
    ASSERT_EQ(some.size(), graphs);
    ASSERT_GE(all.size(), graphs);
    for (std::size_t g = 0; g < graphs; ++g) {
      ASSERT_EQ(some[g].size(), 3u);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(some[g][c], all[g][c], 1e-5) << g;
    }
  }
  void expect_refused(const std::string& data, const std::vector<std::string>& words) const {
    refused({"predict", "model.safetensors", data}, words);
  }
};

TEST_F(PredictGraphs, NodeLabelsMeanTheSameWhereFewerOfThemOccur) {
  write("all", graphs());
  write("some", first_graphs());
  for (const auto& options : std::vector<std::vector<std::string>>{
           {}, {"--degree-features"}, {"--model", "gcn"}, {"--normalise", "none", "--arch", "algorithm1"}}) {
    if (!options.empty() && options[0] == "--model") {
      done({"train", "./all", "--model", "gcn", "--epochs", "5", "--quiet", "--save", "model.safetensors"});
    } else {
      train("./all", options);
    }
    expect_first_of("./all", "./some", 8);
  }
}

TEST_F(PredictGraphs, OtherNodeLabelsAreRefused) {
  write("all", graphs());
  auto others = graphs();
  for (auto& graph : others) {
    for (int& label : graph.labels) label += 5;
  }
  write("others", others);
  train("./all");
  expect_refused("./others", {"others/DS_node_labels.txt", "node label 5", "0, 1, 2"});
}

TEST_F(PredictGraphs, FoldersWithAndWithoutNodeLabelsAreToldApart) {
  write("labels", graphs());
  write("none", graphs());
  remove("none/DS_node_labels.txt");
  write("attributes", {{{0, 1}, "1"}});
  write_bytes(folder_ / "attributes/DS_node_attributes.txt", "0.5\n1\n");
  train("./labels");
  expect_refused("./none", {"none", "no node labels", "1 node label"});
  expect_refused("./attributes", {"1 node label and 1 attribute", "same kind"});
  train("./none");
  expect_refused("./labels", {"labels/DS_node_labels.txt", "1 node label", "only degrees"});
}

TEST_F(PredictGraphs, DegreesAsFeaturesKeepTheirColumns) {
  write("all", graphs());
  write("short", {{{0, 0}, "1"}, {{0}, "1"}});
  write("star", {{{0, 0, 0, 0}, "1"}});
  write_bytes(folder_ / "star/DS_A.txt", "1, 2\n1, 3\n1, 4\n");
  for (const char* name : {"all", "short", "star"}) remove(std::string(name) + "/DS_node_labels.txt");
  train("./all");
  EXPECT_EQ(predict("./short").size(), 2u);
  expect_refused("./star", {"star", "degree 3", "0, 1, 2"});
}

TEST_F(PredictGraphs, ModelsOfNodesAndOfGraphsAreToldApart) {
  write("all", graphs());
  train("./all");
  expect_refused("csbm:n=60,features=3", {"model.safetensors", "predicts graphs", "csbm"});
  done({"train", "csbm:n=60,features=3", "--inducing", "5", "--epochs", "2", "--quiet", "--save",
        "model.safetensors"});
  expect_refused("./all", {"model.safetensors", "predicts nodes", "set of graphs"});
}

TEST_F(PredictGraphs, ClassesOfGraphsMayBeUnknown) {
  write("all", graphs());
  auto unknown = graphs();
  for (auto& graph : unknown) graph.graph_class = "?";
  write("unknown", unknown);
  write("missing", graphs());
  remove("missing/DS_graph_labels.txt");
  train("./all");
  expect_first_of("./all", "./unknown", 12);
  expect_first_of("./all", "./missing", 12);
  for (const char* data : {"./unknown", "./missing"})
    refused({"train", data}, {data + 2, "no graph has a class", "_graph_labels.txt"});
  auto some = graphs();
  some[0].graph_class = some[5].graph_class = "?";
  write("some", some);
  train("./some");
  expect_first_of("./all", "./some", 12);
}

TEST_F(PredictGraphs, OlderModelsWithoutColumnsCountThem) {
  write("all", graphs());
  write("some", first_graphs());
  train("./all", {"--degree-features"});
  TensorFile file = read_safetensors(folder_ / "model.safetensors");
  for (const char* key : {"task", "graphs", "columns"}) EXPECT_EQ(file.metadata.erase(key), 1u) << key;
  write_safetensors(folder_ / "model.safetensors", file);
  EXPECT_EQ(predict("./all").size(), 12u);
  // The 17 columns of degrees are no features of the data.
  expect_refused("./some", {"takes 3 features per node", "has 2;"});
}

TEST_F(PredictGraphs, DamagedColumnsAreRefused) {
  write("all", graphs());
  train("./all");
  const TensorFile good = read_safetensors(folder_ / "model.safetensors");
  for (const char* columns :
       {R"({"kind":"labels","values":[[0,1]],"attributes":0})",
        R"({"kind":"labels","values":[[0,2,1]],"attributes":0})",
        R"({"kind":"colours","values":[[0,1,2]],"attributes":0})", R"({"kind":"labels"})", "3", "{"}) {
    TensorFile bad = good;
    bad.metadata["columns"] = columns;
    write_safetensors(folder_ / "model.safetensors", bad);
    expect_refused("./all", {"model.safetensors", "metadata"});
  }
}

TEST_F(PredictGraphs, InspectSaysWhatIsPredicted) {
  write("all", graphs());
  train("./all", {"--degree-features"});
  const std::string text = done({"inspect", "model.safetensors"}).out;
  for (const char* words : {"graph classification", "12 graphs, 42 nodes, 20 features (17 of them degrees)",
                            "2 classes", "batch_size"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " not in:\n" << text;
  const auto card = done({"inspect", "model.safetensors", "--json"}).json();
  EXPECT_EQ(card.at("task"), "graph");
  EXPECT_EQ(card.at("graphs"), 12);
  EXPECT_EQ(card.at("classes"), 2);
}

TEST_F(PredictGraphs, RowsOfGraphsGoThroughAllCommands) {
  write("all", graphs());
  write("some", first_graphs());
  const std::vector<std::string> rows{"--pool-features", "root", "--wl-features", "1"};
  train("./all", rows);
  expect_first_of("./all", "./some", 8);
  EXPECT_NE(done({"inspect", "model.safetensors"}).out.find("12 graphs, "), std::string::npos);
  const std::string vectors = done({"embed", "model.safetensors", "./all"}).out;
  EXPECT_EQ(std::count(vectors.begin(), vectors.end(), '\n'), 13) << "a title and a line for each graph";
  refused({"embed", "model.safetensors", "./all", "--nodes"}, {"--nodes", "pool", "leave it out"});
  const std::string plain_info = done({"data", "info", "./all"}).out;
  const std::string info = done({"data", "info", "./all", "--pool-features", "root"}).out;
  EXPECT_NE(info.find("one row for each graph (root)"), std::string::npos) << info;
  EXPECT_EQ(info.substr(0, info.find("prepared")), plain_info.substr(0, plain_info.find("prepared")))
      << "the graphs are what they are";
  refused({"train", "./all", "--pool-features", "root", "--keep-self-loops"},
          {"keep-self-loops", "no edges"});
  refused({"train", "./all", "--model", "nngp", "--exact", "--pool-features", "sum", "--network", "sage"},
          {"pool-features", "sage", "--network gcn"});
}

}  // namespace
}  // namespace gdkm::testing
