#include "gdkm/dataset/check_dataset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

constexpr float infinite = std::numeric_limits<float>::infinity();

/// Three nodes on a path, two features, two classes, a split.
Dataset path() {
  Dataset out;
  out.name = "path";
  out.graph.nodes = 3;
  out.graph.edges = {{0, 1}, {1, 2}};
  out.graph.weight = {1.5F, 2.0F};
  out.graph.type = {0, 1};
  out.graph.type_names = {"a", "b"};
  out.features = {3, 2, false, {}, {1, 2, 3, 4, 5, 6}};
  out.label = {0, 1, -1};
  out.classes = 2;
  out.class_names = {"no", "yes"};
  out.node_names = {"x", "y", "z"};
  out.splits["public"] = {{{0}, {1}, {}}};
  return out;
}

Dataset with_sparse_features() {
  Dataset out = path();
  out.features = {3, 2, true, {3, 2, {0, 2, 2, 3}, {0, 1, 1}, {1, 2, 3}}, {}};
  return out;
}

/// Two graphs, of two nodes and of one.
Dataset two_graphs() {
  Dataset out = path();
  out.task = Task::graph;
  out.graph_start = {0, 2, 3};
  out.label = {1, 0};
  out.splits["public"] = {{{0}, {}, {1}}};
  return out;
}

Dataset regression() {
  Dataset out = path();
  out.classes = 0;
  out.class_names.clear();
  out.targets = 2;
  out.target = {1, 2, 3, 4, std::nanf(""), 6};
  out.label = {0, 0, -1};
  return out;
}

using Change = std::function<void(Dataset&)>;

/// Where the unchanged data set is fine, the change alone is to blame.
void refuses(const Dataset& fine, const Change& change, const std::vector<std::string>& words) {
  EXPECT_NO_THROW(check_dataset(fine));
  Dataset broken = fine;
  change(broken);
  expect_input_error([&] { check_dataset(broken); }, words);
}

TEST(CheckDatasetTest, AcceptsEveryKindOfData) {
  for (const Dataset& each : {path(), with_sparse_features(), two_graphs(), regression()})
    EXPECT_NO_THROW(check_dataset(each));
}

TEST(CheckDatasetTest, RefusesAGraphWithoutNodes) {
  refuses(path(), [](Dataset& d) { d.graph.nodes = 0; }, {"the graph has no nodes"});
}

TEST(CheckDatasetTest, RefusesEdgesToNodesThatAreNotThere) {
  refuses(path(), [](Dataset& d) { d.graph.edges[1].to = 3; }, {"edge 1", "node 3", "nodes 0 to 2"});
  refuses(path(), [](Dataset& d) { d.graph.edges[0].from = -1; }, {"edge 0", "node -1"});
}

TEST(CheckDatasetTest, RefusesWeightsThatAreNotPositiveOrNotOnePerEdge) {
  for (const float weight : {0.0F, -1.0F, infinite, std::nanf("")})
    refuses(path(), [&](Dataset& d) { d.graph.weight[1] = weight; }, {"edge 1", "finite and > 0"});
  refuses(path(), [](Dataset& d) { d.graph.weight.push_back(1); }, {"edge weights", "which are 2, got 3"});
}

TEST(CheckDatasetTest, RefusesTypesThatAreNotThereOrNotOnePerEdge) {
  refuses(path(), [](Dataset& d) { d.graph.type[0] = 2; }, {"edge 0", "type 2", "types are 0 to 1"});
  refuses(path(), [](Dataset& d) { d.graph.type[0] = -1; }, {"edge 0", "type -1"});
  refuses(path(), [](Dataset& d) { d.graph.type.pop_back(); }, {"edge types", "got 1"});
}

TEST(CheckDatasetTest, RefusesStartsOfGraphsThatDoNotAscendOverAllNodes) {
  for (const std::vector<std::int32_t>& start :
       {std::vector<std::int32_t>{}, {0}, {1, 2, 3}, {0, 2, 4}, {0, 2, 1, 3}})
    refuses(two_graphs(), [&](Dataset& d) { d.graph_start = start; }, {"ascend from 0", "3"});
}

TEST(CheckDatasetTest, RefusesFeaturesOfAnotherShape) {
  refuses(path(), [](Dataset& d) { d.features.rows = 2; }, {"features", "3 nodes", "2 rows"});
  refuses(path(),
          [](Dataset& d) {
            d.features = {3, 0, false, {}, {}};
          },
          {"no columns", "leave features out"});
}

TEST(CheckDatasetTest, RefusesFeaturesThatAreNotFiniteAndSaysWhere) {
  for (const float value : {infinite, std::nanf("")}) {
    refuses(path(), [&](Dataset& d) { d.features.dense[3] = value; }, {"node 1, column 1", "fill missing"});
    refuses(with_sparse_features(), [&](Dataset& d) { d.features.sparse.value[2] = value; },
            {"node 2, column 1"});
  }
}

TEST(CheckDatasetTest, RefusesSparseColumnsOutOfRangeOrOrder) {
  refuses(with_sparse_features(), [](Dataset& d) { d.features.sparse.col[2] = 2; },
          {"node 2 has column 2", "columns are 0 to 1"});
  refuses(with_sparse_features(), [](Dataset& d) { d.features.sparse.col[0] = -1; },
          {"node 0 has column -1"});
  refuses(with_sparse_features(), [](Dataset& d) { d.features.sparse.col[1] = 0; },
          {"node 0", "not ascending"});
}

TEST(CheckDatasetTest, RefusesColumnsThatDescribeOtherFeatures) {
  const auto describe = [](Dataset& d) {
    d.columns.kind = FeatureColumns::Kind::table;
    d.columns.table = {{"age"}, {"height"}, {"weight"}};
  };
  refuses(path(), describe, {"describe 3 features", "there are 2"});
}

TEST(CheckDatasetTest, RefusesNamesThatAreNotOneForEach) {
  refuses(path(), [](Dataset& d) { d.node_names.pop_back(); }, {"names of nodes", "which are 3, got 2"});
  refuses(path(), [](Dataset& d) { d.class_names.push_back("?"); }, {"names of classes", "got 3"});
}

TEST(CheckDatasetTest, RefusesLabelsOutOfRangeOrNotOneForEach) {
  refuses(path(), [](Dataset& d) { d.label[0] = 2; }, {"node 0: class 2", "classes are 0 to 1"});
  refuses(path(), [](Dataset& d) { d.label[0] = -2; }, {"node 0: class -2"});
  refuses(path(), [](Dataset& d) { d.label.push_back(0); }, {"labels", "each node", "got 4"});
  refuses(two_graphs(), [](Dataset& d) { d.label.push_back(0); }, {"labels", "each graph", "got 3"});
  refuses(two_graphs(), [](Dataset& d) { d.label[1] = 5; }, {"graph 1: class 5"});
}

TEST(CheckDatasetTest, RefusesTargetsThatAreNotOneForEach) {
  refuses(regression(), [](Dataset& d) { d.target.pop_back(); }, {"targets", "which are 6, got 5"});
  refuses(regression(), [](Dataset& d) { d.label[0] = 1; }, {"node 0: class 1"});
}

TEST(CheckDatasetTest, RefusesSplitsWithUnknownOrRepeatedItems) {
  refuses(path(), [](Dataset& d) { d.splits["public"][0].test = {3}; },
          {"split 0 of 'public'", "item 3", "there are 3"});
  refuses(path(),
          [](Dataset& d) {
            d.splits["geom"] = {{{0}, {}, {0}}};
          },
          {"split 0 of 'geom'", "item 0 twice", "disjoint"});
}

}  // namespace
}  // namespace gdkm
