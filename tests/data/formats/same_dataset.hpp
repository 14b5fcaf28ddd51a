#pragma once

#include <gtest/gtest.h>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm::testing {

/// Expects the same nodes, undirected edges, features, classes and splits; directions, repetitions and
/// self-loops of edges may differ.
inline void expect_same_dataset(const Dataset& found, const Dataset& expected) {
  EXPECT_EQ(found.graph.nodes, expected.graph.nodes);
  Graph a = found.graph, b = expected.graph;
  a.directed = b.directed = false;
  EXPECT_EQ(adjacency(a).row_start, adjacency(b).row_start);
  EXPECT_EQ(adjacency(a).col, adjacency(b).col);
  EXPECT_EQ(found.features.rows, expected.features.rows);
  EXPECT_EQ(found.features.cols, expected.features.cols);
  EXPECT_EQ(found.features.is_sparse, expected.features.is_sparse);
  EXPECT_EQ(found.features.dense, expected.features.dense);
  EXPECT_EQ(found.features.sparse.row_start, expected.features.sparse.row_start);
  EXPECT_EQ(found.features.sparse.col, expected.features.sparse.col);
  EXPECT_EQ(found.features.sparse.value, expected.features.sparse.value);
  EXPECT_EQ(found.label, expected.label);
  EXPECT_EQ(found.classes, expected.classes);
  ASSERT_EQ(found.splits.size(), expected.splits.size());
  for (const auto& [name, splits] : expected.splits) {
    ASSERT_EQ(found.splits.count(name), 1u) << name;
    ASSERT_EQ(found.splits.at(name).size(), splits.size()) << name;
    for (std::size_t s = 0; s < splits.size(); ++s) {
      EXPECT_EQ(found.splits.at(name)[s].train, splits[s].train) << name << s;
      EXPECT_EQ(found.splits.at(name)[s].val, splits[s].val) << name << s;
      EXPECT_EQ(found.splits.at(name)[s].test, splits[s].test) << name << s;
    }
  }
}

}  // namespace gdkm::testing
