#include "gdkm/data/formats/matlab/attributed_mat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "raw_mat.hpp"
#include "tests/data/formats/same_dataset.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

/// The path 1 - 2 - 3 with a lone node 4, of which a test changes or removes variables.
class AttributedMatTest : public ::testing::Test {
 protected:
  testing::RawMat raw;
  std::map<std::string, std::string> variables = {
      {"Network", raw.sparse("Network", 4, 4, {1, 0, 2, 1}, {0, 1, 3, 4, 4}, {1, 1, 1, 1})},
      {"Attributes", raw.sparse("Attributes", 4, 3, {0, 3, 2}, {0, 2, 2, 3}, {5, 1, 2})},
      {"Label", raw.full("Label", 4, 1, {1, 2, 1, 3})}};

  Text text() const {
    std::string all;
    for (const auto& [name, bytes] : variables) all += raw.compressed(bytes);
    return raw.file(all);
  }
  Dataset read() const { return read_attributed_mat(text(), "small"); }
  void expect_bad(const std::string& variable, const std::string& bytes, std::vector<std::string> words) {
    const auto good = variables;
    variables[variable] = bytes;
    words.insert(words.end(), {"small.mat", "'" + variable + "'"});
    expect_input_error([&] { read(); }, words);
    variables = good;
  }
};

TEST_F(AttributedMatTest, GraphFeaturesAndClassesAreRead) {
  const Dataset data = read();
  EXPECT_EQ(data.name, "small");
  EXPECT_EQ(data.label, (std::vector<std::int32_t>{0, 1, 0, 2}));
  EXPECT_EQ(data.classes, 3);
  EXPECT_EQ(data.graph.nodes, 4);
  EXPECT_FALSE(data.graph.directed);
  EXPECT_TRUE(data.graph.weight.empty());
  ASSERT_EQ(data.graph.edges.size(), 2u) << "each edge once";
  EXPECT_EQ(data.graph.edges[1].from, 1);
  EXPECT_EQ(data.graph.edges[1].to, 2);
  EXPECT_TRUE(data.features.is_sparse);
  EXPECT_EQ(data.features.cols, 3);
  EXPECT_EQ(data.features.sparse.row_start, (std::vector<Index>{0, 1, 1, 2, 3}));
  EXPECT_EQ(data.features.sparse.value, (std::vector<double>{5, 2, 1}));
  ASSERT_EQ(data.splits.at("public").size(), 10u);
  EXPECT_EQ(data.splits.at("public")[0].train.size(), 2u);
}

TEST_F(AttributedMatTest, WeightsAndDirectionsAreKept) {
  variables["Network"] = raw.sparse("Network", 4, 4, {1, 0, 2}, {0, 1, 3, 3, 3}, {1, 1, 0.5});
  const Graph graph = read().graph;
  EXPECT_TRUE(graph.directed);
  ASSERT_EQ(graph.edges.size(), 3u);
  EXPECT_EQ(graph.weight, (std::vector<float>{1, 1, 0.5}));
  EXPECT_EQ(graph.edges[2].from, 2);
  EXPECT_EQ(graph.edges[2].to, 1);
}

TEST_F(AttributedMatTest, ItIsKnownByItsVariables) {
  const Text whole = text();
  EXPECT_TRUE(is_attributed_mat(MatFile(whole)));
  variables.erase("Label");
  const Text part = text();
  EXPECT_FALSE(is_attributed_mat(MatFile(part)));
  expect_input_error([&] { read(); }, {"'Label'", "missing", "Attributes, Network"});
}

TEST_F(AttributedMatTest, WhatDoesNotFitIsRefused) {
  expect_bad("Label", raw.full("Label", 4, 1, {1, 2, 0, 3}), {"node 3", "got 0"});
  expect_bad("Label", raw.full("Label", 4, 1, {1, 2, 9, 3}), {"node 3", "got 9"});
  expect_bad("Label", raw.full("Label", 2, 2, {1, 2, 1, 3}), {"2 x 2", "n x 1"});
  expect_bad("Label", raw.full("Label", 1, 1, {1}), {"fewer than two nodes"});
  expect_bad("Label", raw.matrix(6, {4, 1}, "Label", raw.element(9, raw.numbers<double>({1, 1.5, 1, 1}))),
             {"node 2", "got 1.5"});
  expect_bad("Label", raw.matrix(6, {4, 1}, "Label", raw.element(9, raw.numbers<double>({1, NAN, 1, 1}))),
             {"node 2", "got nan"});
  expect_bad("Network", raw.sparse("Network", 4, 1, {1}, {0, 1}, {1}), {"4 x 1", "square"});
  expect_bad("Network", raw.sparse("Network", 3, 3, {1}, {0, 1, 1, 1}, {1}), {"3 rows", "4 nodes"});
  for (const double bad : {-1.0, double{NAN}, double{INFINITY}, 1e300, 1e-300}) {
    expect_bad("Network", raw.sparse("Network", 4, 4, {1}, {0, 1, 1, 1, 1}, {bad}),
               {"row 2, column 1", "positive"});
  }
  expect_bad("Attributes", raw.sparse("Attributes", 2000000000, 1, {1}, {0, 1}, {1}), {"2000000000 rows"});
  expect_bad("Attributes", raw.sparse("Attributes", 4, 1, {1}, {0, 1}, {NAN}), {"row 2, column 1", "finite"});
  expect_bad("Attributes", raw.sparse("Attributes", 4, 0, {}, {0}, {}), {"no feature columns"});
}

class PublishedAttributedMatTest : public ::testing::TestWithParam<const char*> {};

TEST_P(PublishedAttributedMatTest, EqualsItsNpzFile) {
  const std::string file = GetParam();
  std::string name = file;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto folder = testing::shared_folder() / "datasets" / name;
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  testing::expect_same_dataset(read_attributed_mat(read_text(folder / (file + ".mat")), name),
                               read_graph_npz(folder / (name + ".npz")));
}

INSTANTIATE_TEST_SUITE_P(All, PublishedAttributedMatTest, ::testing::Values("BlogCatalog", "Flickr"),
                         [](const auto& file) { return std::string(file.param); });

}  // namespace
}  // namespace gdkm
