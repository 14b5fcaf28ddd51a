#include "gdkm/graph/colour_features.hpp"

#include <gtest/gtest.h>

namespace gdkm {
namespace {

/// Two columns; every node has the first, and those of `marked` the second as well.
Features marked_rows(Index rows, const std::vector<Index>& marked) {
  Features out;
  out.rows = rows;
  out.cols = 2;
  out.dense.assign(static_cast<std::size_t>(2 * rows), 0.0F);
  for (Index r = 0; r < rows; ++r) out.dense[static_cast<std::size_t>(2 * r)] = 1;
  for (const Index r : marked) out.dense[static_cast<std::size_t>(2 * r + 1)] = 1;
  return out;
}

/// The column of a node's colour after `round` rounds, from 1; 0 is the first of that round.
Index colour(const Features& x, Index node, int round) {
  const Index first = 2 + (round - 1) * colour_columns;
  for (Index k = x.sparse.row_start[node]; k < x.sparse.row_start[node + 1]; ++k) {
    const Index column = x.sparse.col[k];
    if (column >= first && column < first + colour_columns) return column - first;
  }
  return -1;
}

/// A path 0-1-2-3-4.
Graph path_of_five() {
  Graph out;
  out.nodes = 5;
  out.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  return out;
}

TEST(ColourFeatures, AreEqualWhereSurroundingsAreAlike) {
  const Features x = with_colours(marked_rows(5, {}), path_of_five(), {}, 2, Normalisation::none);
  EXPECT_EQ(x.cols, 2 + 2 * colour_columns);
  EXPECT_EQ(colour(x, 0, 1), colour(x, 4, 1)) << "both ends";
  EXPECT_NE(colour(x, 0, 1), colour(x, 1, 1)) << "one neighbour and two";
  EXPECT_EQ(colour(x, 1, 1), colour(x, 2, 1)) << "two neighbours each";
  EXPECT_NE(colour(x, 1, 2), colour(x, 2, 2)) << "one of them is next to an end";
}

TEST(ColourFeatures, SeeTheFeaturesOfNeighbours) {
  const Features x = with_colours(marked_rows(5, {0}), path_of_five(), {}, 2, Normalisation::none);
  EXPECT_NE(colour(x, 1, 1), colour(x, 3, 1)) << "node 0 is marked, node 4 is not";
  EXPECT_NE(colour(x, 0, 1), colour(x, 4, 1));
}

TEST(ColourFeatures, DoNotDependOnTheOrderOfNodesOrEdges) {
  Graph other;
  other.nodes = 5;
  other.edges = {{1, 0}, {3, 4}, {2, 1}, {2, 3}};
  const Features a = with_colours(marked_rows(5, {2}), path_of_five(), {}, 3, Normalisation::l2);
  const Features b = with_colours(marked_rows(5, {2}), other, {}, 3, Normalisation::l2);
  EXPECT_EQ(a.sparse.col, b.sparse.col);
}

TEST(ColourFeatures, TellTypesOfEdgesApart) {
  Graph graph;
  graph.nodes = 4;
  graph.edges = {{0, 1}, {2, 3}};
  graph.type = {0, 1};
  graph.type_names = {"single", "double"};
  const Features x = with_colours(marked_rows(4, {}), graph, {}, 1, Normalisation::none);
  EXPECT_EQ(colour(x, 0, 1), colour(x, 1, 1));
  EXPECT_NE(colour(x, 0, 1), colour(x, 2, 1));
}

TEST(ColourFeatures, HaveAsLargeAShareAsTheOthers) {
  Features x = marked_rows(5, {});
  for (float& value : x.dense) value *= 7;
  const Features out = with_colours(x, path_of_five(), {}, 1, Normalisation::l2);
  for (Index k = out.sparse.row_start[0]; k < out.sparse.row_start[1]; ++k)
    EXPECT_DOUBLE_EQ(out.sparse.value[static_cast<std::size_t>(k)], 1);
}

}  // namespace
}  // namespace gdkm
