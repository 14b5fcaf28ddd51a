#include "gdkm/data/formats/tu/tu.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::TemporaryFolder;
using Numbers = std::vector<std::int32_t>;

std::string lines(const Numbers& numbers) {
  std::string out;
  for (const auto number : numbers) out += std::to_string(number) + "\n";
  return out;
}

/// A good set of three graphs: a path of three nodes, an edge, and a single node.
class TuTest : public ::testing::Test {
 protected:
  TuTest() {
    files["DS_graph_indicator.txt"] = "1\n1\n1\n2\n2\n3\n";
    files["DS_graph_labels.txt"] = "7\n-1\n7\n";
    files["DS_A.txt"] = "1, 2\n2, 1\n2,3\n3,2\n4, 5\n5, 4\n";
    files["DS_node_labels.txt"] = "5\n9\n5\n2\n2\n9\n";
  }
  Dataset read(const std::string& name = "DS") {
    for (const auto& [file, bytes] : files) {
      std::filesystem::create_directories((folder / file).parent_path());
      testing::write_bytes(folder / file, bytes);
    }
    return read_tu(FileTree(folder.path()), name, pool);
  }
  void expect_bad(const std::string& file, std::vector<std::string> words) {
    words.push_back(file);
    expect_input_error([&] { read(); }, words);
  }
  /// Ten graphs of one node each, enough for ten folds.
  void use_ten_graphs() {
    Numbers graphs(10);
    std::iota(graphs.begin(), graphs.end(), 1);
    files["DS_graph_indicator.txt"] = lines(graphs);
    files["DS_graph_labels.txt"] = lines({0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
    files["DS_node_labels.txt"] = lines(graphs);
    files["DS_A.txt"] = "";
  }
  std::map<std::string, std::string> files;
  TemporaryFolder folder;
  ThreadPool pool{3};
};

TEST_F(TuTest, GraphsClassesAndEdgesAreRead) {
  const Dataset data = read();
  EXPECT_EQ(data.name, "DS");
  EXPECT_EQ(data.task, Task::graph);
  EXPECT_EQ(data.graph.nodes, 6);
  EXPECT_EQ(data.graph_start, (Numbers{0, 3, 5, 6}));
  EXPECT_EQ(data.label, (Numbers{1, 0, 1}));
  EXPECT_EQ(data.classes, 2);
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"-1", "7"}));
  EXPECT_FALSE(data.graph.directed);
  ASSERT_EQ(data.graph.edges.size(), 6u);
  EXPECT_EQ(data.graph.edges[2].from, 1);
  EXPECT_EQ(data.graph.edges[2].to, 2);
}

TEST_F(TuTest, NodeLabelsBecomeOneHotsInAscendingOrder) {
  const Dataset data = read();
  EXPECT_EQ(data.features.cols, 3);
  EXPECT_EQ(data.features.dense, (std::vector<float>{0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(data.node_kind, (Numbers{1, 2, 1, 0, 0, 2}));
  EXPECT_EQ(data.columns.kind, FeatureColumns::Kind::labels);
  EXPECT_EQ(data.columns.values, (std::vector<Numbers>{{2, 5, 9}}));
  EXPECT_EQ(data.columns.attributes, 0);
  EXPECT_NE(data.columns.where.find("DS_node_labels.txt"), std::string::npos);
}

TEST_F(TuTest, EveryColumnOfNodeLabelsIsCodedByItself) {
  files["DS_node_labels.txt"] = "5, 0\n9, 0\n5, 1\n5, 0\n5, 0\n5, 0\n";
  const Dataset data = read();
  EXPECT_EQ(data.features.cols, 4);
  EXPECT_EQ((std::vector<float>(data.features.dense.begin(), data.features.dense.begin() + 12)),
            (std::vector<float>{1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1}));
  EXPECT_TRUE(data.node_kind.empty());
  EXPECT_EQ(data.columns.values, (std::vector<Numbers>{{5, 9}, {0, 1}}));
}

TEST_F(TuTest, AttributesStandBesideTheLabels) {
  files["DS_node_attributes.txt"] = " 0.5, 1\n 0,2\n 0, 3\n -1e-1, 4\n 0, 5\n 1e-60, 6\n";
  const Dataset data = read();
  EXPECT_FALSE(data.features.is_sparse);
  EXPECT_EQ(data.features.cols, 5);
  EXPECT_EQ((std::vector<float>(data.features.dense.begin() + 15, data.features.dense.begin() + 20)),
            (std::vector<float>{1, 0, 0, -0.1f, 4}));
  EXPECT_EQ(data.features.dense[28], 0);
  EXPECT_EQ(data.columns.attributes, 2);
}

TEST_F(TuTest, AttributesAloneAreTheFeatures) {
  files.erase("DS_node_labels.txt");
  files["DS_node_attributes.txt"] = "1\n2\n3\n4\n5\n6\n";
  const Dataset data = read();
  EXPECT_EQ(data.features.dense, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(data.columns.values.empty());
  EXPECT_EQ(data.columns.attributes, 1);
}

TEST_F(TuTest, ManyDistinctLabelsStaySparse) {
  std::string indicator, node_labels;
  for (int i = 0; i < 40; ++i) {
    indicator += "1\n";
    node_labels += std::to_string(1000 - i) + "\n";
  }
  files["DS_graph_indicator.txt"] = indicator;
  files["DS_node_labels.txt"] = node_labels;
  files["DS_graph_labels.txt"] = "0\n";
  const Dataset data = read();
  ASSERT_TRUE(data.features.is_sparse);
  EXPECT_EQ(data.features.cols, 40);
  EXPECT_EQ(data.features.sparse.col.front(), 39);
  EXPECT_EQ(data.features.nonzeros(), 40);
}

TEST_F(TuTest, WithoutLabelsAndAttributesTheDegreeIsTheFeature) {
  files.erase("DS_node_labels.txt");
  files["DS_A.txt"] += "1,2\n1,1\n6,6\n";  // a duplicate and loops do not count
  const Dataset data = read();
  EXPECT_EQ(data.features.cols, 3);
  EXPECT_EQ(data.features.dense, (std::vector<float>{0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0}));
  EXPECT_TRUE(data.node_kind.empty());
  EXPECT_EQ(data.columns.kind, FeatureColumns::Kind::degrees);
  EXPECT_EQ(data.columns.values, (std::vector<Numbers>{{0, 1, 2}}));
}

TEST_F(TuTest, AnArchiveAndAnotherNameAreReadAlike) {
  const Dataset direct = read();
  std::vector<testing::RawMember> members;
  for (const auto& [file, bytes] : files) members.push_back({"DS/" + file, bytes});
  testing::write_bytes(folder / "mine.zip", testing::raw_zip(members));
  const FileTree archive(folder / "mine.zip");
  EXPECT_EQ(tu_name(archive), "DS");
  const Dataset packed = read_tu(archive, "mine", pool);
  EXPECT_EQ(packed.name, "mine");
  EXPECT_EQ(packed.label, direct.label);
  EXPECT_EQ(packed.features.dense, direct.features.dense);
  EXPECT_EQ(packed.graph.edges.size(), direct.graph.edges.size());
}

TEST_F(TuTest, TheNameIsThatOfTheEdgeFile) {
  testing::write_bytes(folder / "_A.txt", "");
  testing::write_bytes(folder / "B_A.csv", "");
  EXPECT_EQ(tu_name(FileTree(folder.path())), std::nullopt);
  expect_input_error([&] { read_tu(FileTree(folder.path()), "X", pool); }, {"X_A.txt", "TU data set"});
  read();
  EXPECT_EQ(tu_name(FileTree(folder.path())), "DS");
}

TEST_F(TuTest, TwoSetsInOneFolderAreToldApartByName) {
  for (const char* file : {"A", "graph_indicator", "graph_labels", "node_labels"}) {
    files[std::string("AA_") + file + ".txt"] = files[std::string("DS_") + file + ".txt"];
  }
  files["AA_graph_labels.txt"] = "1\n2\n3\n";
  EXPECT_EQ(read("DS").classes, 2);
  EXPECT_EQ(read("AA").classes, 3);
}

TEST_F(TuTest, IndicatorMustNotSkipAGraph) {
  files["DS_graph_indicator.txt"] = "1\n1\n1\n3\n3\n4\n";
  expect_bad("DS_graph_indicator.txt", {"line 4", "graph 2 has no node"});
  files["DS_graph_indicator.txt"] = "2\n2\n2\n2\n2\n3\n";
  expect_bad("DS_graph_indicator.txt", {"line 1", "graph 1 has no node"});
}

TEST_F(TuTest, IndicatorMustNotDescend) {
  files["DS_graph_indicator.txt"] = "1\n1\n2\n1\n2\n3\n";
  expect_bad("DS_graph_indicator.txt", {"line 4", "from graph 2 to 1", "sort"});
}

TEST_F(TuTest, IndicatorMustHoldGraphNumbers) {
  for (const char* bad : {"0\n", "-1\n", "99999999999\n", "1.5\n", "x\n", ""}) {
    files["DS_graph_indicator.txt"] = bad;
    expect_bad("DS_graph_indicator.txt", {});
  }
  files.erase("DS_graph_indicator.txt");
  std::filesystem::remove(folder / "DS_graph_indicator.txt");
  expect_bad("DS_graph_indicator.txt", {"missing"});
}

TEST_F(TuTest, EachGraphNeedsOneClass) {
  files["DS_graph_labels.txt"] = "1\n1\n";
  expect_bad("DS_graph_labels.txt", {"2 lines", "3 graphs"});
  files["DS_graph_labels.txt"] = "1\n1, 2\n1\n";
  expect_bad("DS_graph_labels.txt", {"line 2"});
}

TEST_F(TuTest, BlankLinesWouldShiftWhatFollows) {
  files["DS_node_attributes.txt"] = "1\n2\n3\n4\n5\n6\n";
  files["DS_folds10.txt"] = "0\n1\n2\n";
  for (const char* file : {"DS_graph_indicator.txt", "DS_graph_labels.txt", "DS_node_labels.txt",
                           "DS_node_attributes.txt", "DS_folds10.txt"}) {
    const std::string good = files[file];
    for (const char* blank : {"\n", " \t\n", "\r\n"}) {
      files[file] = good.substr(0, good.find('\n') + 1) + blank + good.substr(good.find('\n') + 1);
      expect_bad(file, {"line 2", "blank"});
    }
    files[file] = good;
  }
  files.erase("DS_folds10.txt");
  std::filesystem::remove(folder / "DS_folds10.txt");
  for (auto& [file, bytes] : files) bytes += "\n \n\r\n";
  EXPECT_EQ(read().graph.nodes, 6);
}

TEST_F(TuTest, GraphsWithoutAClassAreInNoSplit) {
  use_ten_graphs();
  files["DS_graph_labels.txt"] = "4\n?\n4\n4\n4\n ?\n-1\n-1\n-1\n-1\n";
  for (const bool with_folds : {false, true}) {
    if (with_folds) files["DS_folds10.txt"] = lines({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    const Dataset data = read();
    EXPECT_EQ(data.label, (Numbers{1, -1, 1, 1, 1, -1, 0, 0, 0, 0}));
    EXPECT_EQ(data.classes, 2);
    const auto& splits = data.splits.at("public");
    ASSERT_EQ(splits.size(), with_folds ? 10u : 8u);
    for (const Split& split : splits) {
      EXPECT_EQ(split.train.size() + split.val.size() + split.test.size(), 8u);
      for (const auto& part : {split.train, split.val, split.test}) {
        for (const auto graph : part) EXPECT_GE(data.label[static_cast<std::size_t>(graph)], 0);
      }
    }
  }
  files["DS_graph_labels.txt"] = "4\n??\n4\n4\n4\n4\n4\n4\n4\n4\n";
  expect_bad("DS_graph_labels.txt", {"line 2"});
}

TEST_F(TuTest, WithoutTheirFileNoGraphHasAClass) {
  use_ten_graphs();
  files["DS_folds10.txt"] = lines({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  files.erase("DS_graph_labels.txt");
  const Dataset data = read();
  EXPECT_EQ(data.label, Numbers(10, -1));
  EXPECT_EQ(data.classes, 0);
  EXPECT_TRUE(data.class_names.empty());
  EXPECT_TRUE(data.splits.empty());
}

TEST_F(TuTest, RegressionIsRefused) {
  files.erase("DS_graph_labels.txt");
  files["DS_graph_attributes.txt"] = "0.5\n1\n2\n";
  expect_bad("DS_graph_attributes.txt", {"DS_graph_labels.txt", "classes"});
}

TEST_F(TuTest, EdgesMustStayWithinTheirGraph) {
  files["DS_A.txt"] = "1, 2\n3, 4\n";
  expect_bad("DS_A.txt", {"line 2", "node 3 of graph 1", "node 4 of graph 2"});
}

TEST_F(TuTest, EdgeLabelsAreTypes) {
  EXPECT_TRUE(read().graph.type.empty());
  files["DS_edge_labels.txt"] = "3\n3\n-1\n-1\n10\n10\n";
  const Graph graph = read().graph;
  EXPECT_EQ(graph.type_names, (std::vector<std::string>{"-1", "3", "10"}));
  EXPECT_EQ(graph.type, (Numbers{1, 1, 0, 0, 2, 2}));
  files["DS_edge_labels.txt"] = "1,0\n1, 0\n0,1\n0,1\n1,0\n1,0\n";
  EXPECT_EQ(read().graph.type_names, (std::vector<std::string>{"0,1", "1,0"}));
}

TEST_F(TuTest, EachEdgeNeedsOneLabel) {
  files["DS_edge_labels.txt"] = "0\n0\n1\n";
  expect_bad("DS_edge_labels.txt", {"3 lines", "6 edges"});
  files["DS_edge_labels.txt"] = "0\n0\n1\nx\n0\n0\n";
  expect_bad("DS_edge_labels.txt", {"line 4"});
}

TEST_F(TuTest, EdgesMustNameNodes) {
  for (const char* bad :
       {"0, 1", "7, 1", "1, 7", "1", "1, 2, 3", "-1, 2", "a, b", "1, 99999999999999999999"}) {
    files["DS_A.txt"] = std::string("1, 2\n") + bad + "\n";
    expect_bad("DS_A.txt", {"line 2"});
  }
}

TEST_F(TuTest, NodeLabelsAndAttributesNeedOneLinePerNode) {
  files["DS_node_labels.txt"] = "1\n2\n";
  expect_bad("DS_node_labels.txt", {"2 lines", "6 nodes"});
  files["DS_node_labels.txt"] = "1\n2\n3\n4\n5\n6, 7\n";
  expect_bad("DS_node_labels.txt", {"line 6", "2 numbers", "has 1;"});
  files["DS_node_labels.txt"] = "1\n2\n3\n4\n5\n6\n";
  files["DS_node_attributes.txt"] = "1,2\n1\n1,2\n1,2\n1,2\n1,2\n";
  expect_bad("DS_node_attributes.txt", {"line 2", "1 numbers", "has 2"});
}

TEST_F(TuTest, AttributesMustBeFinite) {
  for (const char* bad : {"nan", "inf", "-inf", "1e39", "1e999", "", ",", "1 2"}) {
    files["DS_node_attributes.txt"] = std::string("1\n2\n3\n4\n5,\n") + bad + "\n";
    expect_bad("DS_node_attributes.txt", {"line 5"});
    files["DS_node_attributes.txt"] = std::string("1\n2\n3\n4\n5\n") + bad + "\n";
    expect_bad("DS_node_attributes.txt", {});
  }
}

TEST_F(TuTest, SplitsRotateTheFolds) {
  use_ten_graphs();
  files["DS_folds10.txt"] = lines({9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
  const auto splits = read().splits.at("public");
  ASSERT_EQ(splits.size(), 10u);
  EXPECT_EQ(splits[0].test, Numbers{9});
  EXPECT_EQ(splits[0].val, Numbers{8});
  EXPECT_EQ(splits[0].train, (Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(splits[9].test, Numbers{0});
  EXPECT_EQ(splits[9].val, Numbers{9});
}

TEST_F(TuTest, FoldsMustBeFilledAndBeTen) {
  use_ten_graphs();
  files["DS_folds10.txt"] = lines({0, 1, 2, 3, 4, 5, 6, 7, 8, 8});
  expect_bad("DS_folds10.txt", {"fold 9"});
  files["DS_folds10.txt"] = lines({0, 1, 2, 3, 4, 5, 6, 7, 8, 10});
  expect_bad("DS_folds10.txt", {"line 10", "-1 to 9"});
  files["DS_folds10.txt"] = lines({0, 1, 2, 3, 4, 5, 6, 7, 8});
  expect_bad("DS_folds10.txt", {"9 lines", "10 graphs"});
}

TEST_F(TuTest, PublishedTestListsAreFolds) {
  use_ten_graphs();
  for (int k = 1; k <= 10; ++k) {
    files["10fold_idx/test_idx-" + std::to_string(k) + ".txt"] = std::to_string(k % 10) + "\n";
  }
  EXPECT_EQ(read().splits.at("public")[0].test, Numbers{1});
  files["10fold_idx/test_idx-4.txt"] = "1\n";
  expect_bad("10fold_idx/test_idx-4.txt", {"graph 1", "test_idx-1.txt"});
  files["10fold_idx/test_idx-4.txt"] = "10\n";
  expect_bad("10fold_idx/test_idx-4.txt", {"line 1", "0 to 9"});
  files.erase("10fold_idx/test_idx-4.txt");
  std::filesystem::remove(folder / "10fold_idx/test_idx-4.txt");
  expect_bad("10fold_idx/test_idx-4.txt", {"missing"});
}

TEST_F(TuTest, WithoutFoldsTheyAreMade) {
  const auto splits = read().splits.at("public");  // three graphs, three folds
  ASSERT_EQ(splits.size(), 3u);
  for (const Split& split : splits) {
    EXPECT_EQ(split.train.size(), 1u);
    EXPECT_EQ(split.val.size(), 1u);
    EXPECT_EQ(split.test.size(), 1u);
  }
  files["DS_graph_indicator.txt"] = "1\n1\n1\n2\n2\n2\n";
  files["DS_graph_labels.txt"] = "0\n1\n";
  EXPECT_TRUE(read().splits.empty());
}

TEST_F(TuTest, ErricaSplitsAreRead) {
  files["DS_splits.json"] =
      R"([{"test": [2], "model_selection": [{"train": [1], "validation": [0]}]},
          {"test": [], "model_selection": [{"train": [2, 0], "validation": []}]}])";
  const auto splits = read().splits.at("errica");
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[0].test, Numbers{2});
  EXPECT_EQ(splits[0].val, Numbers{0});
  EXPECT_EQ(splits[1].train, (Numbers{0, 2}));
}

TEST_F(TuTest, BadErricaSplitsAreRefused) {
  const auto with = [&](const std::string& test, const std::string& train) {
    files["DS_full_splits.json"] =
        R"([{"test": )" + test + R"(, "model_selection": [{"validation": [], "train": )" + train + "}]}]";
  };
  with("[1]", "[0, 1]");
  expect_bad("DS_full_splits.json", {"split 0", "graph 1 occurs twice"});
  with("[3]", "[0]");
  expect_bad("DS_full_splits.json", {"split 0", "graph 3", "0..2"});
  with("[1]", "[]");
  expect_bad("DS_full_splits.json", {"no training graphs"});
  for (const char* bad : {"3", "[-1]", "[1.5]", "[\"1\"]", "[4294967297]", "null", "[[1]]"}) {
    with(bad, "[0]");
    expect_bad("DS_full_splits.json", {"'test'"});
  }
  for (const std::string bad : {"", "{", "[", "3", "{}", "[]", "[{\"test\": [1]}", "[\xff]"}) {
    files["DS_full_splits.json"] = bad;
    expect_bad("DS_full_splits.json", {"JSON"});
  }
  files["DS_full_splits.json"] = std::string(200000, '[');
  expect_bad("DS_full_splits.json", {"JSON"});
  for (const char* bad : {"[3]", "[{}]", R"([{"test": [1], "model_selection": []}])"}) {
    files["DS_full_splits.json"] = bad;
    expect_bad("DS_full_splits.json", {"model_selection"});
  }
}

}  // namespace
}  // namespace gdkm
