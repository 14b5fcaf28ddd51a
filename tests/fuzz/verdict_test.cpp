#include "verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "container.hpp"

namespace gdkm::fuzzing {
namespace {

/// Four nodes on a path, with sparse features, two classes and a split.
Dataset good() {
  Dataset out;
  out.graph = {4, {{0, 1}, {1, 2}, {2, 3}}, {1, 2, 0.5f}, false, {0, 1, 0}, {"a", "b"}};
  out.features.rows = 4;
  out.features.cols = 3;
  out.features.is_sparse = true;
  out.features.sparse = {4, 3, {0, 2, 2, 3, 3}, {0, 2, 1}, {1, -1, 2}};
  out.label = {0, 1, 0, -1};
  out.classes = 2;
  out.class_names = {"a", "b"};
  out.splits["public"] = {Split{{0}, {1}, {2}}};
  return out;
}

TEST(FuzzVerdictTest, ASoundDataSetPasses) {
  EXPECT_NO_THROW(check(good()));
}

TEST(FuzzVerdictTest, EveryBrokenPromiseIsSeen) {
  const std::vector<std::function<void(Dataset&)>> faults = {
      [](Dataset& d) { d.graph.edges[0].to = 4; },
      [](Dataset& d) { d.graph.edges[0].from = -1; },
      [](Dataset& d) { d.graph.weight.pop_back(); },
      [](Dataset& d) { d.graph.weight[0] = 0; },
      [](Dataset& d) { d.graph.type.pop_back(); },
      [](Dataset& d) { d.graph.type[0] = 2; },
      [](Dataset& d) { d.graph.type[0] = -1; },
      [](Dataset& d) { d.graph.type_names.clear(); },
      [](Dataset& d) { d.graph = {}; },
      [](Dataset& d) { d.features.rows = 3; },
      [](Dataset& d) { d.features.cols = 4; },
      [](Dataset& d) { d.features.sparse.col[1] = 3; },
      [](Dataset& d) { d.features.sparse.col[1] = 0; },
      [](Dataset& d) { d.features.sparse.value[2] = 0; },
      [](Dataset& d) { d.features.sparse.value[2] = NAN; },
      [](Dataset& d) {
        d.features.sparse.row_start = {0, 2, 1, 3, 3};
      },
      [](Dataset& d) { d.features.sparse.row_start.pop_back(); },
      [](Dataset& d) { d.features.is_sparse = false; },
      [](Dataset& d) {
        d.columns = {FeatureColumns::Kind::labels, {{4, 5}}, 0, ""};
      },
      [](Dataset& d) {
        d.columns = {FeatureColumns::Kind::labels, {{5, 4}}, 1, ""};
      },
      [](Dataset& d) { d.label[0] = 2; },
      [](Dataset& d) { d.label[3] = -2; },
      [](Dataset& d) { d.label.pop_back(); },
      [](Dataset& d) { d.class_names.pop_back(); },
      [](Dataset& d) { d.targets = 1; },
      [](Dataset& d) {
        d.targets = 1;
        d.target = {1, NAN, 2, NAN};
      },
      [](Dataset& d) { d.node_names = {"x"}; },
      [](Dataset& d) {
        d.graph_start = {0, 4};
      },
      [](Dataset& d) { d.task = Task::graph; },
      [](Dataset& d) { d.splits["public"][0].train = {}; },
      [](Dataset& d) { d.splits["public"][0].val = {0}; },
      [](Dataset& d) { d.splits["public"][0].val = {3}; },
      [](Dataset& d) {
        d.splits["public"][0].test = {2, 1};
      },
      [](Dataset& d) { d.splits["public"][0].test = {4}; },
      [](Dataset& d) { d.splits["geom"] = {}; },
  };
  for (std::size_t k = 0; k < faults.size(); ++k) {
    Dataset bad = good();
    faults[k](bad);
    EXPECT_THROW(check(bad), std::logic_error) << "fault " << k;
  }
}

TEST(FuzzVerdictTest, ARefusalIsOneLine) {
  EXPECT_FALSE(is_read([] { throw InputError("x.csv: is empty; fill it"); }));
  EXPECT_THROW(is_read([] { throw InputError("two\nlines"); }), std::logic_error);
  EXPECT_THROW(is_read([] { throw InputError(""); }), std::logic_error);
  EXPECT_THROW(is_read([] { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST(FuzzContainerTest, FilesComeBackAndAnyBytesAreAContainer) {
  const Files files = {{"a", "1\n2"}, {"b/c", ""}, {"a", std::string("\0\n", 2)}};
  EXPECT_EQ(from_container(to_container(files)), files);
  EXPECT_TRUE(from_container("").empty());
  EXPECT_TRUE(from_container("no name").empty());
  EXPECT_EQ(from_container("junk\n=== a"), (Files{{"a", ""}}));
  EXPECT_EQ(from_container("=== \n=== "), (Files{{"", ""}, {"", ""}}));
}

}  // namespace
}  // namespace gdkm::fuzzing
