#include "gdkm/data/formats/geom_gcn/geom_gcn.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/data/formats/same_dataset.hpp"

namespace gdkm {
namespace {

using namespace testing;

class GeomGcnTest : public ::testing::Test {
 protected:
  std::string nodes = "node_id\tfeature\tlabel\n1\t0,1,0\t1\n0\t2.5,0,0\t0\n2\t0,0,1\t1\n";
  std::string edges = "node_id\tnode_id\n0\t1\n1\t0\n2\t2\n0\t1\n";
  std::string name = "toy";
  TemporaryFolder folder;

  Dataset read() {
    write_bytes(folder / "out1_node_feature_label.txt", nodes);
    write_bytes(folder / "out1_graph_edges.txt", edges);
    ThreadPool pool(2);
    return read_geom_gcn(FileTree(folder.path()), name, pool);
  }
  void expect_bad_nodes(const std::string& lines, std::vector<std::string> words) {
    nodes = "node_id\tfeature\tlabel\n" + lines;
    words.emplace_back("out1_node_feature_label.txt");
    expect_input_error([&] { read(); }, words);
  }
  void expect_bad_edges(const std::string& text, std::vector<std::string> words) {
    edges = text;
    words.emplace_back("out1_graph_edges.txt");
    expect_input_error([&] { read(); }, words);
  }
};

TEST_F(GeomGcnTest, NodesInAnyOrderAndEdgesAsTheyAre) {
  const Dataset data = read();
  EXPECT_EQ(data.name, "toy");
  EXPECT_EQ(data.graph.nodes, 3);
  EXPECT_TRUE(data.graph.directed);
  ASSERT_EQ(data.graph.edges.size(), 4u) << "self-loops and repetitions stay";
  EXPECT_EQ(data.graph.edges[1].from, 1);
  EXPECT_EQ(data.graph.edges[1].to, 0);
  EXPECT_EQ(data.graph.edges[2].from, 2);
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(data.classes, 2);
  EXPECT_FALSE(data.features.is_sparse);
  EXPECT_EQ(data.features.dense, (std::vector<float>{2.5f, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_TRUE(data.splits.empty());
}

TEST_F(GeomGcnTest, FewNonzerosAreKeptSparse) {
  nodes = "node_id\tfeature\tlabel\n1\t0,0,0,0,0,0,0,0,0,0,0,0\t1\n0\t0,0,0,7,0,0,0,0,0,0,0,0\t0\n";
  edges = "node_id\tnode_id\n";
  const Dataset data = read();
  EXPECT_TRUE(data.graph.edges.empty());
  EXPECT_TRUE(data.features.is_sparse);
  EXPECT_EQ(data.features.cols, 12);
  EXPECT_EQ(data.features.sparse.row_start, (std::vector<Index>{0, 1, 1}));
  EXPECT_EQ(data.features.sparse.col, std::vector<std::int32_t>{3});
  EXPECT_EQ(data.features.sparse.value, std::vector<double>{7});
  EXPECT_TRUE(is_better_sparse(1, 2, 6));
  EXPECT_FALSE(is_better_sparse(1, 2, 5)) << "a tenth is dense";
}

TEST_F(GeomGcnTest, FilmListsThePositionsOfOnes) {
  name = "film";
  nodes = "node_id\tfeature\tlabel\n0\t5,1,5\t0\n1\t931\t1\n";
  edges = "node_id\tnode_id\n0\t1\n";
  const Dataset data = read();
  EXPECT_EQ(data.features.cols, 932);
  EXPECT_TRUE(data.features.is_sparse);
  EXPECT_EQ(data.features.sparse.row_start, (std::vector<Index>{0, 2, 3}));
  EXPECT_EQ(data.features.sparse.col, (std::vector<std::int32_t>{1, 5, 931}));
  EXPECT_EQ(data.features.sparse.value, (std::vector<double>{1, 1, 1}));
  expect_bad_nodes("0\t1,-2\t0\n", {"line 2", "position -2"});
  expect_bad_nodes("0\t1.5\t0\n", {"line 2"});
}

TEST_F(GeomGcnTest, LineEndsOfWindowsAreRead) {
  nodes = "node_id\tfeature\tlabel\r\n0\t0,1\t1\r\n1\t1,0\t0\r\n\r\n";
  edges = "node_id\tnode_id\r\n0\t1\r\n";
  EXPECT_EQ(read().features.dense, (std::vector<float>{0, 1, 1, 0}));
}

TEST_F(GeomGcnTest, FilesAreRecognised) {
  EXPECT_FALSE(is_geom_gcn(FileTree(folder.path())));
  read();
  EXPECT_TRUE(is_geom_gcn(FileTree(folder.path())));
  std::filesystem::remove(folder / "out1_graph_edges.txt");
  EXPECT_FALSE(is_geom_gcn(FileTree(folder.path())));
  ThreadPool pool(1);
  expect_input_error([&] { read_geom_gcn(FileTree(folder.path()), "toy", pool); },
                     {"out1_graph_edges.txt", "missing"});
}

TEST_F(GeomGcnTest, BadNodeLinesAreRefused) {
  expect_bad_nodes("0\t1,0\t0\n1\t1,0,0\t0\n", {"line 3", "3 features", "has 2"});
  expect_bad_nodes("0\t1,0\t0\n1\t1\t0\n", {"line 3", "1 features", "has 2"});
  expect_bad_nodes("0\t1,nan\t0\n", {"line 2", "feature 1", "nan", "finite"});
  expect_bad_nodes("0\tinf,0\t0\n", {"line 2", "feature 0", "finite"});
  expect_bad_nodes("0\t1e39,0\t0\n", {"line 2", "feature 0", "finite"});
  expect_bad_nodes("0\t1,x\t0\n", {"line 2", "'x'", "feature"});
  expect_bad_nodes("0\t1,0\t0.5\n", {"line 2", "class number", "'0.5'"});
  expect_bad_nodes("0\t1,0\n", {"line 2", "class"});
  expect_bad_nodes("0\t1,0\t-2\n", {"line 2", "-2"});
  expect_bad_nodes("0\t1,0\t1000000000\n", {"node 0", "1000000000", "classes"});
  expect_bad_nodes("-1\t1,0\t0\n", {"line 2", "node -1"});
  expect_bad_nodes("0\t1,0\t0\n0\t1,0\t0\n", {"node 0", "two lines"});
  expect_bad_nodes("0\t1,0\t0\n2\t1,0\t0\n", {"node 2", "0..1"});
  expect_bad_nodes("", {"no node"});
  nodes = "0\t1,0\t0\n";
  expect_input_error([&] { read(); }, {"out1_node_feature_label.txt", "line 1", "header"});
}

TEST_F(GeomGcnTest, BadEdgesAreRefused) {
  expect_bad_edges("node_id\tnode_id\n0\t1\n0\t3\n", {"line 3", "node 3", "0..2"});
  expect_bad_edges("node_id\tnode_id\n-1\t1\n", {"line 2", "node -1"});
  expect_bad_edges("node_id\tnode_id\n0\n", {"line 2", "node number"});
  expect_bad_edges("node_id\tnode_id\n0\t1\t2\n", {"line 2", "'2'"});
  expect_bad_edges("0\t1\n1\t2\n", {"line 1", "header"});
}

class PublishedGeomGcnTest : public ::testing::TestWithParam<const char*> {};

TEST_P(PublishedGeomGcnTest, OriginalFilesEqualTheNpzFile) {
  const std::string name = GetParam();
  const auto folder = shared_folder() / "datasets" / name;
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  ThreadPool pool(2);
  const Dataset found = read_geom_gcn(FileTree(folder), name, pool);
  expect_same_dataset(found, read_graph_npz(folder / (name + ".npz")));
  const auto loops = std::count_if(found.graph.edges.begin(), found.graph.edges.end(),
                                   [](const Edge& edge) { return edge.from == edge.to; });
  EXPECT_EQ(loops, name == "chameleon" ? 50 : 140);
}

INSTANTIATE_TEST_SUITE_P(All, PublishedGeomGcnTest, ::testing::Values("chameleon", "squirrel"),
                         [](const auto& set) { return std::string(set.param); });

}  // namespace
}  // namespace gdkm
