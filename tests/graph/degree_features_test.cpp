#include "gdkm/graph/degree_features.hpp"

#include <gtest/gtest.h>

#include "gdkm/graph/graph.hpp"

namespace gdkm {
namespace {

/// Node 0 has three neighbours and a loop, node 4 none; node 5 is the hub of 20 more.
Csr star() {
  Graph graph;
  graph.nodes = 26;
  graph.edges = {{0, 1}, {0, 2}, {3, 0}, {0, 0}};
  for (std::int32_t leaf = 6; leaf < 26; ++leaf) graph.edges.push_back({5, leaf});
  AdjacencyOptions options;
  options.keep_self_loops = true;
  return adjacency(graph, options);
}

Features two_columns() {
  Features out;
  out.rows = 26;
  out.cols = 2;
  out.dense.assign(52, 0.5F);
  return out;
}

Index column_of_degree(const Features& x, Index node) {
  Index found = -1;
  for (Index k = 2; k < x.cols; ++k) {
    const float value = x.dense[static_cast<std::size_t>(node * x.cols + k)];
    if (value == 0) continue;
    EXPECT_EQ(value, 1) << "node " << node;
    EXPECT_EQ(found, -1) << "node " << node << " has two degrees";
    found = k - 2;
  }
  return found;
}

TEST(DegreeFeatures, SayHowManyNeighboursANodeHas) {
  const Features x = with_degrees(two_columns(), star());
  EXPECT_EQ(x.cols, 2 + most_degree + 1);
  EXPECT_EQ(x.dense[0], 0.5F);
  EXPECT_EQ(column_of_degree(x, 0), 3) << "a loop is no neighbour";
  EXPECT_EQ(column_of_degree(x, 1), 1);
  EXPECT_EQ(column_of_degree(x, 4), 0);
  EXPECT_EQ(column_of_degree(x, 5), most_degree) << "large degrees share the last column";
}

TEST(DegreeFeatures, OfSparseFeaturesAreTheSame) {
  const Features dense = two_columns();
  Features sparse = dense;
  sparse.dense.clear();
  sparse.is_sparse = true;
  std::vector<Triplet> entries;
  for (std::int32_t row = 0; row < 26; ++row) {
    entries.push_back({row, 0, 0.5});
    entries.push_back({row, 1, 0.5});
  }
  sparse.sparse = csr_from_triplets(26, 2, entries);
  const Features a = with_degrees(dense, star()), b = with_degrees(sparse, star());
  ASSERT_EQ(b.sparse.rows, 26);
  ASSERT_EQ(b.sparse.cols, a.cols);
  std::vector<float> same(a.dense.size(), 0);
  for (Index r = 0; r < 26; ++r) {
    for (Index k = b.sparse.row_start[static_cast<std::size_t>(r)];
         k < b.sparse.row_start[static_cast<std::size_t>(r) + 1]; ++k) {
      same[static_cast<std::size_t>(r * a.cols + b.sparse.col[static_cast<std::size_t>(k)])] =
          static_cast<float>(b.sparse.value[static_cast<std::size_t>(k)]);
    }
  }
  EXPECT_EQ(same, a.dense);
}

}  // namespace
}  // namespace gdkm
