#include "gdkm/data/formats/npz/pyg_npz.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gdkm/data/formats/import_graph.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::npy_bools;
using testing::npy_floats;
using testing::npy_longs;
using testing::npy_of;
using Labels = std::vector<std::int32_t>;

/// A good file of three nodes on a path, of which a test changes or removes arrays.
class PygNpzTest : public ::testing::Test {
 protected:
  PygNpzTest() {
    arrays["x"] = npy_floats("3, 2", {1, 0, 0, 2, 3, 4});
    arrays["edge_index"] = npy_longs("2, 4", {0, 1, 1, 2, 1, 0, 2, 1});
    arrays["y"] = npy_longs("3,", {0, 1, -1});
    arrays["train_mask"] = npy_bools("3, 2", {1, 0, 0, 1, 0, 0});
    arrays["val_mask"] = npy_bools("3, 2", {0, 0, 1, 0, 0, 0});
    arrays["test_mask"] = npy_bools("3,", {0, 0, 0});
  }
  std::filesystem::path write() {
    std::vector<testing::RawMember> members;
    for (const auto& [name, bytes] : arrays) members.push_back({name + ".npy", bytes});
    testing::write_bytes(folder / "pyg.npz", testing::raw_zip(members));
    return folder / "pyg.npz";
  }
  Dataset read(std::optional<bool> directed = std::nullopt) { return read_pyg_npz(write(), directed); }
  void expect_bad(const std::string& array, const std::string& bytes, std::vector<std::string> words) {
    const auto good = arrays;
    arrays[array] = bytes;
    words.insert(words.end(), {"pyg.npz", array});
    expect_input_error([&] { read(); }, words);
    arrays = good;
  }
  std::map<std::string, std::string> arrays;
  testing::TemporaryFolder folder;
};

TEST_F(PygNpzTest, UndirectedEdgesAreKeptOnce) {
  const Dataset data = read();
  EXPECT_EQ(data.graph.nodes, 3);
  EXPECT_FALSE(data.graph.directed);
  ASSERT_EQ(data.graph.edges.size(), 2u);
  EXPECT_EQ(data.graph.edges[1].from, 1);
  EXPECT_EQ(data.graph.edges[1].to, 2);
  EXPECT_EQ(data.features.dense, (std::vector<float>{1, 0, 0, 2, 3, 4}));
  EXPECT_EQ(data.label, (Labels{0, 1, -1}));
  EXPECT_EQ(data.classes, 2);
  ASSERT_EQ(data.splits.at("public").size(), 2u);
  EXPECT_EQ(data.splits.at("public")[0].train, Labels{0});
  EXPECT_EQ(data.splits.at("public")[0].val, Labels{1});
  EXPECT_EQ(data.splits.at("public")[1].train, Labels{1});
  EXPECT_TRUE(data.splits.at("public")[1].test.empty());
}

TEST_F(PygNpzTest, TypesOfBothDirectionsAreComparedAndKept) {
  arrays["edge_type"] = npy_longs("4,", {1, 1, 0, 0});
  const Graph same = read().graph;
  EXPECT_FALSE(same.directed);
  EXPECT_EQ(same.type, (Labels{1, 0}));
  EXPECT_EQ(same.type_names, (std::vector<std::string>{"0", "1"}));
  arrays["edge_type"] = npy_longs("4,", {1, 1, 0, 1});
  EXPECT_TRUE(read().graph.directed);
  EXPECT_EQ(read().graph.type, (Labels{1, 1, 0, 1}));
  expect_bad("edge_type", npy_longs("3,", {1, 0, 1}), {"(3,)", "4 edges"});
}

TEST_F(PygNpzTest, OneWayEdgesAreDirected) {
  arrays["edge_index"] = npy_longs("2, 3", {0, 1, 1, 1, 0, 2});
  EXPECT_TRUE(read().graph.directed);
  EXPECT_EQ(read().graph.edges.size(), 3u);
  EXPECT_FALSE(read(false).graph.directed);
  arrays["edge_index"] = npy_longs("2, 4", {0, 1, 1, 2, 1, 0, 2, 1});
  EXPECT_TRUE(read(true).graph.directed);
  EXPECT_EQ(read(true).graph.edges.size(), 4u);
  arrays["edge_weight"] = npy_floats("4,", {1, 1, 2, 2});
  EXPECT_FALSE(read().graph.directed);
  EXPECT_EQ(read().graph.weight, (std::vector<float>{1, 2}));
  arrays["edge_weight"] = npy_floats("4,", {1, 3, 2, 2});  // the two directions differ
  EXPECT_TRUE(read().graph.directed);
}

TEST_F(PygNpzTest, OddButLegalFilesAreAccepted) {
  arrays["y"] = npy_floats("3, 2", {0, 1, 1, 0, 0, 0});
  EXPECT_EQ(read().label, (Labels{1, 0, -1}));
  EXPECT_EQ(read().classes, 2);
  arrays["y"] = npy_longs("3, 1", {0, 1, 0});
  EXPECT_EQ(read().label, (Labels{0, 1, 0}));
  arrays["edge_attr"] = npy_floats("4, 1", {1, 1, 2, 2});
  EXPECT_EQ(read().graph.weight, (std::vector<float>{1, 2}));
  arrays["edge_index"] = npy_longs("2, 0", {});
  arrays["edge_attr"] = npy_floats("0,", {});
  EXPECT_TRUE(read().graph.edges.empty());
  for (const char* name : {"y", "train_mask", "val_mask", "test_mask", "edge_attr"}) arrays.erase(name);
  EXPECT_EQ(read().label, (Labels{-1, -1, -1}));
  EXPECT_TRUE(read().splits.empty());
  EXPECT_EQ(import_graph({write(), {}, "", "", ""}).graph.nodes, 3);
}

TEST_F(PygNpzTest, BadArraysAreRefused) {
  expect_bad("x", npy_floats("6,", {1, 0, 0, 2, 3, 4}), {"(6,)", "(n, d)"});
  expect_bad("x", npy_floats("3, 2", {1, 0, 0, NAN, 3, 4}), {"node 1, feature 1", "finite"});
  expect_bad("x", npy_floats("3, 0", {}), {"(3, 0)"});
  expect_bad("x", npy_floats("3000000000, 2", {1}), {"3000000000"});
  expect_bad("edge_index", npy_longs("2, 1", {0, 3}), {"edge 0", "node 3", "0..2"});
  expect_bad("edge_index", npy_longs("2, 1", {-1, 0}), {"node -1"});
  expect_bad("edge_index", npy_longs("3, 2", {0, 1, 1, 0, 1, 2}), {"(3, 2)", "transpose"});
  expect_bad("edge_index", npy_of<double>("<f8", "2, 1", {0.5, 1}), {"0.5"});
  expect_bad("edge_weight", npy_floats("3,", {1, 1, 1}), {"(3,)", "4 edges"});
  expect_bad("edge_weight", npy_floats("4,", {1, 0, 1, 1}), {"edge 1", "positive"});
  expect_bad("edge_attr", npy_floats("4, 2", {1, 1, 1, 1, 1, 1, 1, 1}), {"(4, 2)", "leave it out"});
  expect_bad("y", npy_longs("2,", {0, 1}), {"(2,)", "3 nodes"});
  expect_bad("y", npy_longs("3,", {0, -2, 1}), {"node 1", "-2"});
  expect_bad("y", npy_longs("3,", {0, 2000000000, 1}), {"node 1", "2000000000"});
  expect_bad("y", npy_longs("3, 2", {1, 1, 0, 1, 1, 0}), {"row 0", "one-hot"});
  expect_bad("train_mask", npy_bools("2,", {1, 0}), {"(2,)", "3 nodes"});
  expect_bad("train_mask", npy_bools("3,", {0, 0, 0}), {"split 0", "no training nodes"});
  expect_bad("train_mask", npy_bools("3,", {0, 0, 1}), {"node 2", "no label"});
  expect_bad("val_mask", npy_bools("3, 2", {1, 0, 0, 0, 0, 0}), {"split 0", "node 0", "'train_mask'"});
  expect_bad("val_mask", npy_bools("3, 3", std::vector<std::uint8_t>(9, 0)), {"has 3 splits", "2"});
  expect_bad("val_mask", npy_of<std::uint8_t>("|u1", "3,", {0, 7, 0}), {"node 1", "is 7"});
  arrays.erase("train_mask");
  expect_input_error([&] { read(); }, {"'train_mask' is missing"});
  arrays.erase("x");
  expect_input_error([&] { read(); }, {"'x' is missing"});
}

TEST_F(PygNpzTest, OtherNpzAreToldApart) {
  arrays = {{"node_labels", npy_longs("1,", {0})}};
  expect_input_error([&] { import_graph({write(), {}, "", "", ""}); }, {"needs no import"});
  arrays = {{"other", npy_longs("1,", {0})}};
  expect_input_error([&] { import_graph({write(), {}, "", "", ""}); }, {"edge_index"});
}

}  // namespace
}  // namespace gdkm
