#include "gdkm/dataset/preprocessing.hpp"

#include <gtest/gtest.h>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

/// Two components, {0, 2} and {1, 3, 4}.
Dataset two_parts() {
  Dataset out;
  out.graph.nodes = 5;
  out.graph.edges = {{0, 2}, {3, 1}, {4, 3}};
  out.graph.weight = {1, 2, 3};
  out.graph.type = {0, 2, 1};
  out.graph.type_names = {"a", "b", "c"};
  out.graph.directed = true;
  out.features.rows = 5;
  out.features.cols = 1;
  out.features.dense = {10, 11, 12, 13, 14};
  out.label = {0, 1, 0, 1, -1};
  out.classes = 2;
  out.splits["public"] = {{{0, 1}, {3}, {2}}};
  return out;
}

TEST(LargestComponent, KeepsItsNodesWithEverythingOfTheirs) {
  const Dataset out = largest_component(two_parts());
  EXPECT_EQ(out.graph.nodes, 3);
  EXPECT_EQ(out.features.dense, (std::vector<float>{11, 13, 14}));
  EXPECT_EQ(out.label, (std::vector<std::int32_t>{1, 1, -1}));
  EXPECT_EQ(out.classes, 2) << "classes keep their numbers";
  EXPECT_EQ(out.node_names, (std::vector<std::string>{"1", "3", "4"}));
  EXPECT_EQ(out.graph.weight, (std::vector<float>{2, 3}));
  EXPECT_EQ(out.graph.type, (std::vector<std::int32_t>{2, 1}));
  EXPECT_EQ(out.graph.types(), 3) << "types keep their numbers";
  EXPECT_EQ(out.graph.edges[0].from, 1);
  EXPECT_EQ(out.graph.edges[0].to, 0);
  EXPECT_TRUE(out.graph.directed);
  EXPECT_EQ(out.splits.at("public")[0].train, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(out.splits.at("public")[0].val, (std::vector<std::int32_t>{1}));
  EXPECT_TRUE(out.splits.at("public")[0].test.empty());
}

TEST(LargestComponent, OfItselfIsItself) {
  const Dataset once = largest_component(two_parts()), twice = largest_component(once);
  EXPECT_EQ(twice.node_names, once.node_names);
  EXPECT_EQ(twice.features.dense, once.features.dense);
}

TEST(LargestComponent, RefusesASplitThatLosesAllItsTrainingNodes) {
  Dataset data = two_parts();
  data.splits["public"][0].train = {0};
  expect_input_error([&] { largest_component(data); }, {"largest_component", "split 0", "'public'"});
}

TEST(Preprocess, LeavesADataSetAloneUnlessAsked) {
  EXPECT_EQ(preprocess(two_parts(), {}).graph.nodes, 5);
  Preprocessing how;
  how.largest_component = true;
  EXPECT_EQ(preprocess(two_parts(), how).graph.nodes, 3);
}

TEST(Preprocess, CountsDegreesInWhatIsLeftOfTheGraph) {
  Preprocessing how;
  how.largest_component = how.degree_features = true;
  const Dataset out = preprocess(two_parts(), how);
  const Index cols = out.features.cols;
  ASSERT_GT(cols, 3);
  EXPECT_EQ(out.features.dense[0], 11);
  EXPECT_EQ(out.features.dense[2], 1) << "node 1 has one neighbour";
  EXPECT_EQ(out.features.dense[static_cast<std::size_t>(cols) + 3], 1) << "node 3 has two";
}

}  // namespace
}  // namespace gdkm
