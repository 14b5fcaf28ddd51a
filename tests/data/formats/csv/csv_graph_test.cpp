#include "gdkm/data/formats/csv/csv_graph.hpp"

#include <gtest/gtest.h>

#include "gdkm/data/formats/import_graph.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Names = std::vector<std::string>;
using Labels = std::vector<std::int32_t>;

/// Files of four people, of which a test changes or removes some.
class CsvGraphTest : public ::testing::Test {
 protected:
  CsvGraphTest() {
    write("edges.csv", "source,target\nann,bob\nbob,cat\ncat,dan\n");
    write("x.csv", "id,height,weight\nann,1.5,2\nbob,0,-1\ncat,3e2,4\ndan,0,0\n");
    write("y.csv", "id,team\nann,red\ndan,blue\nbob,?\n");
    write("splits.csv", "id,a,b\nann,train,test\ndan,test,train\n");
    files.edges = folder / "edges.csv";
    files.features = folder / "x.csv";
    files.labels = folder / "y.csv";
    files.splits = folder / "splits.csv";
  }
  void write(const std::string& name, const std::string& bytes) {
    testing::write_bytes(folder / name, bytes);
  }
  Dataset read() {
    ThreadPool pool(2);
    return read_csv_graph(files, pool);
  }
  void expect_bad(const std::string& name, const std::string& bytes, const std::vector<std::string>& words) {
    const std::string good = testing::read_bytes(folder / name);
    write(name, bytes);
    expect_input_error([&] { read(); }, words);
    write(name, good);
  }
  CsvGraphFiles files;
  testing::TemporaryFolder folder;
};

std::vector<std::pair<int, int>> pairs(const Graph& graph) {
  std::vector<std::pair<int, int>> out;
  for (const auto [u, v] : graph.edges) out.emplace_back(u, v);
  return out;
}

TEST_F(CsvGraphTest, FourFilesMakeADataSet) {
  const Dataset data = read();
  EXPECT_EQ(data.graph.nodes, 4);
  EXPECT_EQ(pairs(data.graph), (std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_FALSE(data.graph.directed);
  EXPECT_TRUE(data.graph.weight.empty());
  EXPECT_EQ(data.node_names, (Names{"ann", "bob", "cat", "dan"}));
  EXPECT_EQ(data.features.cols, 2);
  EXPECT_EQ(data.features.dense, (std::vector<float>{1.5f, 2, 0, -1, 300, 4, 0, 0}));
  EXPECT_EQ(data.label, (Labels{1, -1, -1, 0}));
  EXPECT_EQ(data.classes, 2);
  EXPECT_EQ(data.class_names, (Names{"blue", "red"}));
  ASSERT_EQ(data.splits.at("public").size(), 2u);
  EXPECT_EQ(data.splits.at("public")[0].train, Labels{0});
  EXPECT_EQ(data.splits.at("public")[1].train, Labels{3});
}

TEST_F(CsvGraphTest, CountedIdsAndClassesNeedNoNames) {
  write("edges.csv", "0 1 0.5\n1 2 2\n");
  write("x.csv", "0;1\n1;2\n2;3\n");
  write("y.csv", "2\t1\n0\t0\n1\t-1\n");
  write("splits.csv", "id,geom:0,public:0\n0,train,train\n2,valid,Validation\n");
  const Dataset data = read();
  EXPECT_TRUE(data.node_names.empty());
  EXPECT_TRUE(data.class_names.empty());
  EXPECT_EQ(data.classes, 2);
  EXPECT_EQ(data.label, (Labels{0, -1, 1}));
  EXPECT_EQ(data.graph.weight, (std::vector<float>{0.5f, 2}));
  EXPECT_EQ(data.splits.at("geom")[0].val, Labels{2});
  EXPECT_EQ(data.splits.at("public")[0].val, Labels{2});
}

TEST_F(CsvGraphTest, NodesFileHoldsFeaturesAndClasses) {
  write("nodes.csv",
        "name,height,team,note,age\nbob,1,red,x,3\nann,2,,\"y, z\",4\ncat,0,red,,5\ndan,1,blue,,6\n");
  files.features.clear();
  files.labels.clear();
  files.splits.clear();
  files.nodes = folder / "nodes.csv";
  files.names.label = "team";
  files.rules.ignored = {"note"};
  const Dataset data = read();
  EXPECT_EQ(data.node_names, (Names{"bob", "ann", "cat", "dan"}));
  EXPECT_EQ(data.label, (Labels{1, -1, 1, 0}));
  EXPECT_EQ(data.features.dense, (std::vector<float>{1, 3, 2, 4, 0, 5, 1, 6}));
  files.names.label = "club";
  expect_input_error([&] { read(); }, {"nodes.csv", "no column 'club'", "'height', 'team'"});
  write("nodes.csv", "name,\"two\rlines\"\nann,1\n");
  expect_input_error([&] { read(); }, {"no column 'club'", "'two lines'"});
  files.labels = folder / "y.csv";
  expect_input_error([&] { read(); }, {"nodes replaces"});
}

TEST_F(CsvGraphTest, NumbersToPredictAreReadAndBadOnesShownOnOneLine) {
  files.regression = true;
  write("y.csv", "id,score\nann,1.5\ndan,-2e3\nbob,?\n");
  const Dataset data = read();
  EXPECT_EQ(data.targets, 1);
  EXPECT_EQ(data.label, (Labels{0, -1, -1, 0}));
  EXPECT_EQ(data.target[3], -2000);
  expect_bad("y.csv", "id,score\nann,1.5\ndan,\"1\n2\"\n", {"'1 2'", "expected a number"});
}

TEST_F(CsvGraphTest, EdgesAloneGetMadeFeatures) {
  files = {};
  files.edges = folder / "edges.csv";
  write("edges.csv", "n10,n2\nn2,n1\nn2,n2\n");
  Dataset data = read();
  EXPECT_EQ(data.node_names, (Names{"n1", "n2", "n10"}));
  EXPECT_EQ(data.label, (Labels{-1, -1, -1}));
  EXPECT_EQ(data.classes, 0);
  EXPECT_TRUE(data.features.is_sparse);
  EXPECT_EQ(data.features.cols, 3);
  EXPECT_EQ(data.features.sparse.col, (Labels{0, 1, 2})) << "a feature of its own for each node";
  ASSERT_EQ(data.remarks.size(), 1u);
  EXPECT_NE(data.remarks[0].find("knows only the nodes of this graph"), std::string::npos);
  files.default_features = DefaultFeatures::degree;
  EXPECT_EQ(read().features.sparse.col, (Labels{1, 2, 1}));
  files.default_features = DefaultFeatures::ones;
  EXPECT_EQ(read().features.dense, (std::vector<float>{1, 1, 1}));
  files.directed = true;
  EXPECT_TRUE(read().graph.directed);
}

TEST_F(CsvGraphTest, SparseFeaturesAreKnownByTheirHeader) {
  write("x.csv", "node,feature,value\ncat,3,2.5\nann,1,1\nann,0,2\nann,5,0\n");
  write("y.csv", "id,class\nann,0\nbob,0\ncat,1\ndan,1\n");
  const Dataset data = read();
  EXPECT_EQ(data.node_names, (Names{"ann", "bob", "cat", "dan"}));
  ASSERT_TRUE(data.features.is_sparse);
  EXPECT_EQ(data.features.cols, 6);
  EXPECT_EQ(data.features.sparse.row_start, (std::vector<Index>{0, 2, 2, 3, 3}));
  EXPECT_EQ(data.features.sparse.col, (Labels{0, 1, 3}));
  EXPECT_EQ(data.features.sparse.value, (std::vector<double>{2, 1, 2.5}));
  expect_bad("x.csv", "node,feature,value\nann,-1,2\n", {"x.csv", "line 2", "'-1'", "number"});
  expect_bad("x.csv", "node,feature,value\nann,1,2\nann,1,3\n", {"x.csv", "two values"});
  expect_bad("x.csv", "node,feature,value\neve,1,2\n", {"line 2", "'eve' is not in"});
  expect_bad("x.csv", "node,feature,value\nann,1,inf\n", {"line 2", "finite"});
}

TEST_F(CsvGraphTest, ClassesAreNumberedAsListed) {
  write("classes.csv", "red\ngreen tea\nblue\n");
  files.classes = folder / "classes.csv";
  const Dataset data = read();
  EXPECT_EQ(data.class_names, (Names{"red", "green tea", "blue"}));
  EXPECT_EQ(data.label, (Labels{0, -1, -1, 2}));
  EXPECT_EQ(data.classes, 3);
  expect_bad("classes.csv", "red\n", {"classes.csv", "'blue' is not in the list"});
  expect_bad("classes.csv", "red\nblue\nred\n", {"classes.csv", "'red' is listed twice"});
}

TEST_F(CsvGraphTest, MatrixMarketNodesCountFromOne) {
  write("g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n");
  write("y.csv", "3,b\n1,a\n");
  write("x.csv", "id,v\n2,20\n1,10\n3,30\n");
  files.edges = folder / "g.mtx";
  files.splits.clear();
  const Dataset data = read();
  EXPECT_EQ(data.node_names, (Names{"1", "2", "3"}));
  EXPECT_EQ(data.label, (Labels{0, -1, 1}));
  EXPECT_EQ(data.features.dense, (std::vector<float>{10, 20, 30}));
  EXPECT_FALSE(data.graph.directed);
  expect_bad("y.csv", "0,a\n1,b\n", {"y.csv", "line 1", "'0' is not in", "g.mtx"});
  expect_bad("x.csv", "id,v\n2,20\n1,10\n", {"x.csv", "node '3'", "no row"});
  expect_bad("g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2000000000 2000000000 1\n2 1\n",
             {"g.mtx"});
}

TEST_F(CsvGraphTest, TypesAreReadFromTheirColumnAndSorted) {
  write("edges.csv", "source,target,Type,weight\nann,bob,works,2\nbob,ann,likes,1\nann,bob,likes,3\n");
  const Graph both = read().graph;
  EXPECT_EQ(both.type_names, (Names{"likes", "works"}));
  EXPECT_EQ(both.type, (Labels{1, 0, 0}));
  EXPECT_EQ(both.weight, (std::vector<float>{2, 1, 3}));
  write("edges.csv", "source,target,edge_type\nann,bob,10\nbob,ann,9\n");
  EXPECT_EQ(read().graph.type_names, (Names{"9", "10"}));
  EXPECT_TRUE(read().graph.weight.empty()) << "three columns, of which the last has types";
  files.names.type = "none";
  EXPECT_TRUE(read().graph.type.empty());
  EXPECT_TRUE(read().graph.weight.empty());
  write("edges.csv", "source,target,kind,weight\nann,bob,b,2\nbob,ann,a,1\n");
  EXPECT_TRUE(read().graph.type_names.empty());
  files.names.type = "kind";
  EXPECT_EQ(read().graph.type_names, (Names{"a", "b"}));
  write("edges.csv", "source,target,weight\nann,bob,2\nbob,ann,1\n");
  files.names.type = "weight";
  EXPECT_EQ(read().graph.type_names, (Names{"1", "2"}));
  EXPECT_TRUE(read().graph.weight.empty()) << "a column is one thing";
}

TEST_F(CsvGraphTest, AColumnThatNamesDirectionsHasNoTypes) {
  write("edges.csv", "Source,Target,Type,Weight\nann,bob,Undirected,2\nbob,cat,Directed,1\n");
  EXPECT_TRUE(read().graph.type.empty());
  EXPECT_EQ(read().graph.weight, (std::vector<float>{2, 1}));
  files.names.type = "Type";
  EXPECT_EQ(read().graph.types(), 2) << "where it is asked for";
}

TEST_F(CsvGraphTest, BadTypesAreRefused) {
  expect_bad("edges.csv", "source,target,type\nann,bob,a\nbob,cat,\n", {"edges.csv", "line 3", "no type"});
  files.names.type = "kind";
  expect_bad("edges.csv", "source,target,type\nann,bob,a\n", {"'kind'", "'type'"});
  files.names.type = "target";
  expect_bad("edges.csv", "source,target,type\nann,bob,a\n", {"'target'", "has nodes", "type_column"});
  files.names.type = "";
  std::string many = "source,target,type\n";
  for (int k = 0; k <= 10'000; ++k) many += "ann,bob,t" + std::to_string(k) + "\n";
  expect_bad("edges.csv", many, {"edges.csv", "'type'", "10000", "fewer values"});
}

TEST_F(CsvGraphTest, BadEdgesAreRefused) {
  expect_bad("edges.csv", "source,target\nann,bob\nbob,eve\n",
             {"edges.csv", "line 3", "'eve'", "x.csv", "add it"});
  expect_bad("edges.csv", "source,target\nann\n", {"edges.csv", "line 2", "two nodes"});
  expect_bad("edges.csv", "source,target,weight\nann,bob,1\nann,cat\n", {"line 3", "2 fields", "3"});
  expect_bad("edges.csv", "source,target,weight\nann,bob,0\n",
             {"line 2", "column 3 ('weight')", "'0'", "positive"});
  expect_bad("edges.csv", "source,target,weight\nann,bob,nan\n", {"line 2", "'nan'", "finite"});
  files.features.clear();
  files.labels.clear();
  files.splits.clear();
  expect_bad("edges.csv", "", {"edges.csv", "no nodes"});
  expect_bad("edges.csv", "source,target\nann,\n", {"line 2", "column 2 ('target') is empty"});
}

TEST_F(CsvGraphTest, BadFeaturesAreRefused) {
  const std::string head = "id,height,weight\nann,1,2\nbob,1,2\ncat,1,2\n";
  expect_bad("x.csv", head + "dan,1,tall\n", {"line 5", "column 3 ('weight')", "got 'tall'", "categories"});
  expect_bad("x.csv", head + "dan,1,1e99\n", {"line 5", "finite"});
  expect_bad("x.csv", head + "dan,1,-inf\n", {"line 5", "finite"});
  files.rules.refuse_missing = true;
  expect_bad("x.csv", head + "dan,1,\n", {"x.csv", "line 5", "column 3 ('weight')", "1 of 4", "missing"});
  files.rules.refuse_missing = false;
  expect_bad("x.csv", head + "dan,1\n", {"line 5", "2 fields", "3"});
  expect_bad("x.csv", head + "dan,1,2,3\n", {"line 5", "4 fields", "3"});
  expect_bad("x.csv", head + "ann,1,2\n", {"line 5", "'ann' has more than one row"});
  expect_bad("x.csv", head + ",1,2\n", {"line 5", "id is empty"});
  expect_bad("x.csv", "id,label\nann,1\n", {"x.csv", "column 2 ('label')", "label_column"});
  expect_bad("x.csv", "ann\nbob\n", {"one column"});
}

TEST_F(CsvGraphTest, BadLabelsAndSplitsAreRefused) {
  expect_bad("y.csv", "id,team\nann,red\neve,red\n", {"y.csv", "line 3", "'eve' is not in", "x.csv"});
  expect_bad("y.csv", "eve,red\nbob,blue\n", {"y.csv", "'eve'"});
  expect_bad("y.csv", "id,team\nann,red\nann,red\n", {"line 3", "more than one row"});
  expect_bad("y.csv", "id,team,age\nann,red,3\n", {"3 columns", "label_column"});
  expect_bad("y.csv", "id,team\nann\n", {"line 2", "1 fields", "complete"});
  expect_bad("splits.csv", "id,a\nann,train\ndan,later\n",
             {"splits.csv", "line 3", "column 2 ('a')", "got 'later'"});
  expect_bad("splits.csv", "id,a\nann,train\ncat,test\n", {"line 3", "'cat'", "no class"});
  expect_bad("splits.csv", "id,a\nann,train\nann,test\n", {"line 3", "more than one row"});
  expect_bad("splits.csv", "id,a\nann,test\n", {"column 2 ('a')", "has no training node"});
  expect_bad("splits.csv", "id,a\neve,test\n", {"line 2", "'eve' is not in"});
}

TEST_F(CsvGraphTest, MissingFilesAreNamed) {
  files.labels = folder / "none.csv";
  expect_input_error([&] { read(); }, {"none.csv", "no such file"});
}

TEST_F(CsvGraphTest, FilesThatContradictEachOtherAreRefused) {
  ImportRequest request;
  request.file = folder / "edges.csv";
  EXPECT_EQ(import_graph(request, 1).graph.edges.size(), 3u);
  request.csv.edges = folder / "edges.csv";
  expect_input_error([&] { import_graph(request, 1); }, {"both contain edges"});
  request.csv.edges.clear();
  request.label_key = "team";
  expect_input_error([&] { import_graph(request, 1); }, {"label_key", "GraphML"});
  request.file = folder.path() / "empty";
  std::filesystem::create_directory(request.file);
  expect_input_error([&] { import_graph(request, 1); }, {"no edges.csv"});
}

}  // namespace
}  // namespace gdkm
