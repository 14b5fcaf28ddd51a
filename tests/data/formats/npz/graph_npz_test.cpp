#include "gdkm/data/formats/npz/graph_npz.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gdkm/data/generators/generators.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::npy;
using testing::npy_bools;
using testing::npy_floats;
using testing::npy_longs;
using testing::npy_of;
using testing::raw_bytes;
using testing::TemporaryFolder;

/// A good file of four nodes, of which a test changes or removes arrays.
class GraphNpzTest : public ::testing::Test {
 protected:
  GraphNpzTest() {
    arrays["node_labels"] = npy_longs("4,", {0, 1, -1, 0});
    arrays["edges"] = npy_longs("3, 2", {0, 1, 1, 2, 2, 3});
    arrays["node_features"] = npy_floats("4, 2", {1, 0, 0, 2, 0, 0, 3, 4});
    arrays["train_masks"] = npy_bools("2, 4", {1, 0, 0, 0, 0, 1, 0, 0});
    arrays["val_masks"] = npy_bools("2, 4", {0, 1, 0, 0, 1, 0, 0, 0});
    arrays["test_masks"] = npy_bools("2, 4", {0, 0, 0, 1, 0, 0, 0, 1});
  }
  void use_csr() {
    arrays.erase("node_features");
    arrays["feat_data"] = npy_floats("4,", {1, 2, 3, 4});
    arrays["feat_indices"] = npy_of<std::int32_t>("<i4", "4,", {0, 1, 0, 1});
    arrays["feat_indptr"] = npy_of<std::int32_t>("<i4", "5,", {0, 1, 2, 2, 4});
    arrays["feat_shape"] = npy_longs("2,", {4, 2});
  }
  Dataset read() {
    std::vector<testing::RawMember> members;
    for (const auto& [name, bytes] : arrays) members.push_back({name + ".npy", bytes});
    testing::write_bytes(folder / "small.npz", testing::raw_zip(members));
    return read_graph_npz(folder / "small.npz");
  }
  void expect_bad(const std::string& array, std::vector<std::string> words) {
    words.insert(words.end(), {"small.npz", array});
    expect_input_error([&] { read(); }, words);
  }
  std::map<std::string, std::string> arrays;
  TemporaryFolder folder;
};

TEST_F(GraphNpzTest, DenseFileIsRead) {
  const Dataset data = read();
  EXPECT_EQ(data.name, "small");
  EXPECT_EQ(data.graph.nodes, 4);
  EXPECT_EQ(data.classes, 2);
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{0, 1, -1, 0}));
  ASSERT_EQ(data.graph.edges.size(), 3u);
  EXPECT_EQ(data.graph.edges[2].from, 2);
  EXPECT_EQ(data.graph.edges[2].to, 3);
  EXPECT_TRUE(data.graph.weight.empty());
  EXPECT_FALSE(data.features.is_sparse);
  EXPECT_EQ(data.features.dense, (std::vector<float>{1, 0, 0, 2, 0, 0, 3, 4}));
  ASSERT_EQ(data.splits.at("public").size(), 2u);
  EXPECT_EQ(data.splits.at("public")[1].train, std::vector<std::int32_t>{1});
  EXPECT_EQ(data.splits.at("public")[1].val, std::vector<std::int32_t>{0});
  EXPECT_EQ(data.splits.at("public")[1].test, std::vector<std::int32_t>{3});
}

TEST_F(GraphNpzTest, CsrFeaturesAreSortedAndRepeatedColumnsAdded) {
  use_csr();
  const Dataset plain = read();
  EXPECT_TRUE(plain.features.is_sparse);
  EXPECT_EQ(plain.features.cols, 2);
  EXPECT_EQ(plain.features.sparse.row_start, (std::vector<Index>{0, 1, 2, 2, 4}));
  arrays["feat_data"] = npy_floats("5,", {1, 2, 4, 1, 2});
  arrays["feat_indices"] = npy_longs("5,", {0, 1, 1, 0, 0});
  arrays["feat_indptr"] = npy_longs("5,", {0, 1, 2, 2, 5});
  const Dataset unsorted = read();
  EXPECT_EQ(unsorted.features.sparse.col, (std::vector<std::int32_t>{0, 1, 0, 1}));
  EXPECT_EQ(unsorted.features.sparse.value, (std::vector<double>{1, 2, 3, 4}));
}

TEST_F(GraphNpzTest, SplitSetsAreNamedByTheirPrefix) {
  for (const std::string part : {"train", "val", "test"}) {
    arrays["geom_" + part + "_masks"] = arrays[part + "_masks"];
    arrays.erase(part + "_masks");
  }
  EXPECT_EQ(read().splits.count("public"), 0u);
  EXPECT_EQ(read().splits.at("geom").size(), 2u);
}

TEST_F(GraphNpzTest, FortranOrderMasksAreRead) {
  arrays["train_masks"] = npy("|b1", "2, 4", raw_bytes<std::uint8_t>({1, 0, 0, 1, 0, 0, 0, 0}), true);
  const auto splits = read().splits.at("public");
  EXPECT_EQ(splits[0].train, std::vector<std::int32_t>{0});
  EXPECT_EQ(splits[1].train, std::vector<std::int32_t>{1});
}

TEST_F(GraphNpzTest, OneDimensionalMasksAreOneSplit) {
  arrays["train_masks"] = npy_of<std::uint8_t>("|u1", "4,", {1, 0, 0, 0});
  arrays["val_masks"] = npy_bools("4,", {0, 0, 0, 0});
  arrays["test_masks"] = npy_bools("1, 4", {0, 1, 0, 1});
  EXPECT_EQ(read().splits.at("public").size(), 1u);
}

TEST_F(GraphNpzTest, OddButLegalFilesAreAccepted) {
  arrays["edges"] = npy("<f8", "0,", "");  // what numpy.array([]) gives
  EXPECT_TRUE(read().graph.edges.empty());
  arrays["edges"] = npy_longs("4, 2", {0, 1, 1, 0, 0, 1, 2, 2});
  EXPECT_EQ(adjacency(read().graph).nonzeros(), 2);
  arrays["edge_weights"] = npy_floats("4,", {1, 2.5f, 1, 1});
  EXPECT_EQ(adjacency(read().graph).value, (std::vector<double>{2.5, 2.5}));
  arrays["node_labels"] = npy_longs("4,", {0, 1, -1, 3});  // class 2 has no node, class 3 none to train on
  EXPECT_EQ(read().classes, 4);
  arrays["node_labels"] = npy_of<double>("<f8", "4,", {0, 1, -1, 0});
  EXPECT_EQ(read().classes, 2);
  for (const char* mask : {"train_masks", "val_masks", "test_masks"}) arrays[mask] = npy_bools("0, 4", {});
  EXPECT_TRUE(read().splits.empty());
  for (const char* mask : {"train_masks", "val_masks", "test_masks"}) arrays.erase(mask);
  EXPECT_TRUE(read().splits.empty());
}

TEST_F(GraphNpzTest, BadLabelsAreRefused) {
  arrays["node_labels"] = npy_longs("4,", {0, -2, 1, 0});
  expect_bad("node_labels", {"node 1", "-2", "-1 for no label"});
  arrays["node_labels"] = npy_of<double>("<f8", "4,", {0, 0.5, 1, 0});
  expect_bad("node_labels", {"[1]", "0.5", "integer"});
  arrays["node_labels"] = npy_longs("4,", {0, 1, 2000000000, 0});
  expect_bad("node_labels", {"node 2", "2000000000", "0..C-1"});
  arrays["node_labels"] = npy_longs("0,", {});
  expect_bad("node_labels", {"zero nodes"});
  arrays["node_labels"] = npy_longs("2147483648,", {0});
  expect_bad("node_labels", {"2147483648", "the limit is"});
  arrays["node_labels"] = npy_longs("2, 2", {0, 1, 1, 0});
  expect_bad("node_labels", {"(2, 2)", "one class per node"});
  arrays["node_labels"] = npy_longs("3,", {0, 1, 0});
  expect_bad("edges", {"node 3", "0..2"});
  arrays["edges"] = npy_longs("0, 2", {});
  expect_bad("node_features", {"4 rows", "3 nodes"});
}

TEST_F(GraphNpzTest, BadEdgesAreRefused) {
  arrays["edges"] = npy_longs("2, 2", {0, 1, 1, 4});
  expect_bad("edges", {"row 1", "node 4", "0..3"});
  arrays["edges"] = npy_longs("1, 2", {-1, 0});
  expect_bad("edges", {"row 0", "node -1"});
  arrays["edges"] = npy_longs("2, 3", {0, 1, 2, 1, 2, 3});
  expect_bad("edges", {"(2, 3)", "(E, 2)", "transpose"});
}

TEST_F(GraphNpzTest, BadWeightsAreRefused) {
  for (const float bad : {-1.0f, 0.0f, NAN, INFINITY}) {
    arrays["edge_weights"] = npy_floats("3,", {1, bad, 1});
    expect_bad("edge_weights", {"edge 1", "positive, finite"});
  }
  arrays["edge_weights"] = npy_floats("2,", {1, 1});
  expect_bad("edge_weights", {"2 weights", "3 rows"});
}

TEST_F(GraphNpzTest, BadTypesAreRefused) {
  arrays["edge_type"] = npy_longs("3,", {0, -1, 0});
  expect_bad("edge_type", {"edge 1", "type -1"});
  arrays["edge_type"] = npy_longs("3,", {0, 0, 2'000'000'000});
  expect_bad("edge_type", {"edge 2", "type 2000000000", "10000"});
  arrays["edge_type"] = npy_longs("2,", {0, 0});
  expect_bad("edge_type", {"(2,)", "3 edges"});
  arrays["edge_type"] = npy_longs("3,", {0, 2, 0});
  arrays["edge_type_names"] = npy_of<char32_t>("<U1", "2,", {U'a', U'b'});
  expect_bad("edge_type_names", {"2 names", "0..2"});
  arrays["edge_type_names"] = npy_of<char32_t>("<U1", "3,", {U'a', U'b', U'a'});
  expect_bad("edge_type_names", {"'a'", "used twice"});
  arrays.erase("edge_type");
  expect_bad("edge_type_names", {"without 'edge_type'"});
}

TEST_F(GraphNpzTest, RoundTripKeepsTypes) {
  arrays["edges"] = npy_longs("6, 2", {2, 1, 0, 1, 1, 0, 2, 3, 0, 0, 1, 2});
  arrays["edge_weights"] = npy_floats("6,", {0.5f, 1, 4, 2, 1, 3});
  arrays["edge_type"] = npy_longs("6,", {2, 0, 1, 0, 2, 2});
  const Dataset before = read();
  EXPECT_EQ(before.graph.type_names, (std::vector<std::string>{"0", "1", "2"}));
  for (const bool directed : {false, true}) {
    Dataset data = before;
    data.graph.directed = directed;
    data.graph.type_names = {"cites", "knows", "likes", "never"};
    write_graph_npz(data, folder / "again.npz");
    const Graph after = read_graph_npz(folder / "again.npz").graph;
    EXPECT_EQ(after.directed, directed);
    EXPECT_EQ(after.type_names, data.graph.type_names);
    EXPECT_EQ(after.edges.size(), directed ? 6u : 5u) << "1 and 2 are joined twice by one type";
    for (int type = 0; type < 4; ++type) {
      const AdjacencyOptions all{true, true, true};
      const Csr found = adjacency(of_type(after, type), all),
                given = adjacency(of_type(data.graph, type), all);
      EXPECT_EQ(found.col, given.col) << type;
      EXPECT_EQ(found.value, given.value) << type;
    }
  }
}

TEST_F(GraphNpzTest, BadDenseFeaturesAreRefused) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    arrays["node_features"] = npy_floats("4, 2", {0, 0, 0, 0, 0, bad, 0, 0});
    expect_bad("node_features", {"node 2", "feature 1", "finite"});
  }
  arrays["node_features"] = npy_floats("8,", std::vector<float>(8, 1));
  expect_bad("node_features", {"(8,)", "(n, d)"});
  arrays["node_features"] = npy_floats("4, 0", {});
  expect_bad("node_features", {"no feature columns"});
}

TEST_F(GraphNpzTest, BadCsrFeaturesAreRefused) {
  use_csr();
  const auto good = arrays;
  const auto expect = [&](const std::string& array, const std::string& bytes,
                          std::vector<std::string> words) {
    arrays = good;
    arrays[array] = bytes;
    expect_bad(array, std::move(words));
  };
  expect("feat_indptr", npy_longs("5,", {0, 2, 1, 2, 4}), {"row 1", "from 2 to 1", "decreases"});
  expect("feat_indptr", npy_longs("4,", {0, 1, 2, 4}), {"4 entries", "need 5"});
  expect("feat_indptr", npy_longs("5,", {0, 1, 2, 2, 9}), {"0 to 9", "0 to 4"});
  expect("feat_indptr", npy_longs("5,", {1, 1, 2, 2, 4}), {"from 1 to 4"});
  expect("feat_indices", npy_longs("4,", {0, 1, 2, 1}), {"entry 2", "row 3", "column 2", "0..1"});
  expect("feat_indices", npy_longs("4,", {0, -1, 0, 1}), {"entry 1", "column -1"});
  expect("feat_data", npy_floats("4,", {1, 2, NAN, 4}), {"row 3", "column 0", "nan", "finite"});
  expect("feat_data", npy_floats("3,", {1, 2, 3}), {"3 values", "4 columns"});
  expect("feat_shape", npy_longs("2,", {5, 2}), {"5 rows", "4 nodes"});
  expect("feat_shape", npy_longs("3,", {4, 2, 1}), {"two numbers"});
  expect("feat_shape", npy_longs("2,", {4, 0}), {"no feature columns"});
}

TEST_F(GraphNpzTest, BadMasksAreRefused) {
  const auto good = arrays;
  const auto expect = [&](const std::string& array, const std::string& bytes,
                          std::vector<std::string> words) {
    arrays = good;
    arrays[array] = bytes;
    expect_bad(array, std::move(words));
  };
  expect("test_masks", npy_bools("2, 4", {1, 0, 0, 1, 0, 0, 0, 1}),
         {"split 0", "also in", "node 0", "'train_masks'"});
  expect("test_masks", npy_bools("2, 4", {0, 0, 0, 1, 0, 0, 1, 1}), {"split 1", "node 2", "no label"});
  expect("train_masks", npy_bools("2, 4", {1, 0, 0, 0, 0, 0, 0, 0}), {"split 1", "no training nodes"});
  expect("val_masks", npy_bools("2, 3", {0, 1, 0, 0, 0, 0}), {"(2, 3)", "4 nodes"});
  expect("val_masks", npy_bools("1, 4", {0, 1, 0, 0}), {"1 splits", "has 2"});
  expect("val_masks", npy_bools("2, 4", {0, 7, 0, 0, 0, 0, 0, 0}), {"node 1", "is 7"});
}

TEST_F(GraphNpzTest, StoredZerosAndColumnsThatCancelAreNoEntries) {
  use_csr();
  arrays["feat_data"] = npy_floats("4,", {0, 2, -2, 4});
  arrays["feat_indices"] = npy_longs("4,", {0, 1, 1, 0});
  arrays["feat_indptr"] = npy_longs("5,", {0, 1, 3, 3, 4});
  const Features features = read().features;
  EXPECT_EQ(features.sparse.col, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(features.sparse.value, (std::vector<double>{4}));
  EXPECT_EQ(features.sparse.row_start, (std::vector<Index>{0, 0, 0, 0, 1}));
}

TEST_F(GraphNpzTest, MissingArraysAreNamed) {
  const auto good = arrays;
  for (const std::string name : {"node_labels", "edges", "node_features", "val_masks", "train_masks"}) {
    arrays = good;
    arrays.erase(name);
    expect_bad(name, {name == "node_features" ? "feat_data" : "missing"});
  }
  use_csr();
  const auto sparse = arrays;
  for (const std::string name : {"feat_indices", "feat_indptr", "feat_shape"}) {
    arrays = sparse;
    arrays.erase(name);
    expect_bad(name, {"missing"});
  }
}

TEST_F(GraphNpzTest, RoundTripKeepsEverything) {
  for (const bool sparse : {false, true}) {
    if (sparse) use_csr();
    arrays["edges"] = npy_longs("4, 2", {2, 1, 0, 1, 2, 3, 0, 0});
    arrays["edge_weights"] = npy_floats("4,", {0.5f, 1, 2, 1});
    for (const std::string part : {"train", "val", "test"})
      arrays["geom_" + part + "_masks"] = arrays[part + "_masks"];
    const Dataset before = read();
    write_graph_npz(before, folder / "again.npz");
    const Dataset after = read_graph_npz(folder / "again.npz");
    EXPECT_EQ(after.label, before.label);
    EXPECT_EQ(after.classes, before.classes);
    EXPECT_EQ(after.graph.edges.size(), 4u) << "an edge counts once, a self-loop stays";
    EXPECT_EQ(adjacency(after.graph).col, adjacency(before.graph).col);
    EXPECT_EQ(adjacency(after.graph).value, adjacency(before.graph).value);
    EXPECT_EQ(after.features.is_sparse, sparse);
    EXPECT_EQ(after.features.dense, before.features.dense);
    EXPECT_EQ(after.features.sparse.col, before.features.sparse.col);
    EXPECT_EQ(after.features.sparse.row_start, before.features.sparse.row_start);
    EXPECT_EQ(after.features.sparse.value, before.features.sparse.value);
    ASSERT_EQ(after.splits.size(), 2u);
    for (const auto& [name, splits] : before.splits) {
      ASSERT_EQ(after.splits.at(name).size(), splits.size());
      for (std::size_t s = 0; s < splits.size(); ++s) {
        EXPECT_EQ(after.splits.at(name)[s].train, splits[s].train);
        EXPECT_EQ(after.splits.at(name)[s].val, splits[s].val);
        EXPECT_EQ(after.splits.at(name)[s].test, splits[s].test);
      }
    }
  }
}

TEST(GraphNpz, KeepsNamesDirectionsAndSelfLoops) {
  const TemporaryFolder folder;
  Dataset before = generate("er:n=30,p=0.2,classes=3");
  before.graph.directed = true;
  before.graph.edges.push_back({4, 4});
  before.graph.weight.assign(before.graph.edges.size(), 2.0f);
  before.graph.weight.back() = 7;
  before.class_names = {"red", "grün", "blue, dark"};
  for (int i = 0; i < 30; ++i) before.node_names.push_back("node " + std::to_string(i));
  write_graph_npz(before, folder / "named.npz");
  ThreadPool pool(2);
  const Dataset after = read_graph_npz(folder / "named.npz", pool);
  EXPECT_EQ(after.class_names, before.class_names);
  EXPECT_EQ(after.node_names, before.node_names);
  EXPECT_TRUE(after.graph.directed);
  const AdjacencyOptions all{true, true, true};
  EXPECT_EQ(adjacency(after.graph, all).col, adjacency(before.graph, all).col);
  EXPECT_EQ(adjacency(after.graph, all).value, adjacency(before.graph, all).value);
}

}  // namespace
}  // namespace gdkm
