#include "gdkm/graph/relation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/mix_dense.hpp"

namespace gdkm {
namespace {

double entry(const Csr& a, Index r, std::int32_t c) {
  for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
    if (a.col[k] == c) return a.value[k];
  }
  return 0;
}

TEST(Adjacency, CountsAnEdgeOnceAndDropsSelfLoops) {
  Graph graph;
  graph.nodes = 4;
  graph.edges = {{0, 1}, {1, 0}, {0, 1}, {2, 2}, {1, 2}};
  const Csr a = adjacency(graph);
  EXPECT_EQ(a.nonzeros(), 4);
  EXPECT_EQ(entry(a, 0, 1), 1);
  EXPECT_EQ(entry(a, 2, 2), 0);
  EXPECT_TRUE(is_symmetric(a));
}

TEST(Adjacency, OfOneTypeHasItsEdgesAlone) {
  Graph graph;
  graph.nodes = 3;
  graph.edges = {{0, 1}, {1, 2}, {0, 1}, {2, 0}};
  graph.weight = {3, 2, 5, 7};
  graph.type = {0, 0, 1, 1};
  graph.type_names = {"cites", "follows"};
  graph.directed = true;
  const AdjacencyOptions directed{.keep_direction = true};
  const Csr cites = adjacency(of_type(graph, 0), directed), follows = adjacency(of_type(graph, 1), directed);
  EXPECT_EQ(cites.rows, 3);
  EXPECT_EQ(cites.nonzeros(), 2);
  EXPECT_EQ(entry(cites, 1, 0), 3);
  EXPECT_EQ(entry(cites, 2, 1), 2);
  EXPECT_EQ(follows.nonzeros(), 2);
  EXPECT_EQ(entry(follows, 1, 0), 5);
  EXPECT_EQ(entry(follows, 0, 2), 7);
}

TEST(Adjacency, KeepsTheLargestWeightOfAnEdgeGivenTwice) {
  Graph graph;
  graph.nodes = 3;
  graph.edges = {{0, 1}, {1, 0}, {1, 2}};
  graph.weight = {3, 2, 0.5};
  const Csr a = adjacency(graph);
  EXPECT_EQ(entry(a, 0, 1), 3);
  EXPECT_EQ(entry(a, 1, 0), 3);
  EXPECT_EQ(entry(a, 2, 1), 0.5);
}

TEST(NormalisedAdjacency, FollowsItsDefinitionWithWeightsAndIsolatedNodes) {
  Graph graph;
  graph.nodes = 4;
  graph.edges = {{0, 1}, {1, 2}};
  graph.weight = {3, 0.5};
  const double lambda = 0.25;
  const Csr a = normalised_adjacency(adjacency(graph), lambda);
  const double degree[] = {1 + 3, 1 + 3 + 0.5, 1 + 0.5, 1};
  EXPECT_NEAR(entry(a, 0, 1), 0.75 * 3 / std::sqrt(degree[0] * degree[1]), 1e-15);
  EXPECT_NEAR(entry(a, 2, 1), 0.75 * 0.5 / std::sqrt(degree[2] * degree[1]), 1e-15);
  EXPECT_NEAR(entry(a, 1, 1), lambda + 0.75 / degree[1], 1e-15);
  EXPECT_NEAR(entry(a, 3, 3), 1, 1e-15) << "an isolated node keeps to itself";
}

TEST(Adjacency, KeepsDirectionsSelfLoopsAndPlainWeightsWhenAsked) {
  Graph graph;
  graph.nodes = 3;
  graph.edges = {{0, 1}, {1, 2}, {2, 2}, {0, 1}};
  graph.weight = {3, 2, 5, 4};
  graph.directed = true;
  const Csr a = adjacency(graph, {.keep_direction = true, .use_weights = true, .keep_self_loops = true});
  EXPECT_EQ(a.nonzeros(), 3);
  EXPECT_EQ(entry(a, 1, 0), 4) << "row j holds what points at j";
  EXPECT_EQ(entry(a, 0, 1), 0);
  EXPECT_EQ(entry(a, 2, 2), 5);
  const Csr plain =
      adjacency(graph, {.keep_direction = false, .use_weights = false, .keep_self_loops = false});
  EXPECT_EQ(entry(plain, 0, 1), 1);
  EXPECT_EQ(plain.nonzeros(), 4);
  graph.directed = false;
  EXPECT_TRUE(is_symmetric(adjacency(graph, {.keep_direction = true})))
      << "an undirected graph has no direction to keep";
}

TEST(NormalisedAdjacency, IsTheSameFromTheGraphAndFromItsMatrix) {
  Graph graph;
  graph.nodes = 40;
  for (std::int32_t i = 0; i < 200; ++i) {
    graph.edges.push_back({(i * 7) % 40, (i * i + 3) % 40});
    graph.weight.push_back(0.5f + static_cast<float>(i % 5));
  }
  ThreadPool pool(3);
  for (const bool weighted : {false, true}) {
    for (const bool directed : {false, true}) {
      for (const bool loops : {false, true}) {
        graph.directed = directed;
        const AdjacencyOptions options{directed, weighted, loops};
        const Csr direct = normalised_adjacency(graph, 0.3, options, &pool);
        const Csr by_matrix = normalised_adjacency(adjacency(graph, options), 0.3);
        EXPECT_EQ(direct.row_start, by_matrix.row_start);
        EXPECT_EQ(direct.col, by_matrix.col);
        EXPECT_EQ(direct.value, by_matrix.value);
        EXPECT_EQ(is_symmetric(direct), !directed);
      }
    }
  }
}

TEST(Components, AreNumberedByTheirFirstNodes) {
  Graph graph;
  graph.nodes = 7;
  graph.edges = {{5, 1}, {2, 4}, {4, 6}, {1, 5}};
  EXPECT_EQ(components(graph), (std::vector<std::int32_t>{0, 1, 2, 3, 2, 1, 2}));
}

TEST(Homophily, LeavesOutEdgesWithAnUnlabelledEnd) {
  Graph graph;
  graph.nodes = 4;
  graph.edges = {{0, 1}, {1, 2}, {2, 3}};
  EXPECT_DOUBLE_EQ(edge_homophily(adjacency(graph), {0, 0, 1, -1}), 0.5);
  EXPECT_TRUE(std::isnan(edge_homophily(adjacency(graph), {-1, 0, -1, 0})));
}

TEST(Neighbourhood, HasTheNodesWithinSoManyHops) {
  Graph path;
  path.nodes = 6;
  path.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  EXPECT_EQ(neighbourhood(adjacency(path), {0}, 2), (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(neighbourhood(adjacency(path), {4, 5}, 1), (std::vector<std::int32_t>{3, 4, 5}));
}

Features sparse_and_dense(bool sparse) {
  Features x;
  x.rows = 3;
  x.cols = 2;
  x.is_sparse = sparse;
  if (sparse) {
    x.sparse = csr_from_triplets(3, 2, {{0, 0, 3}, {0, 1, -4}, {2, 1, 2}});
  } else {
    x.dense = {3, -4, 0, 0, 0, 2};
  }
  return x;
}

TEST(Features, NormaliseRowsAndLeaveZeroRowsAlone) {
  const Features l2 = normalise(sparse_and_dense(false), Normalisation::l2);
  EXPECT_FLOAT_EQ(l2.dense[0], 0.6f);
  EXPECT_FLOAT_EQ(l2.dense[1], -0.8f);
  EXPECT_EQ(l2.dense[2], 0.0f);
  const Features sum = normalise(sparse_and_dense(true), Normalisation::sum);
  EXPECT_DOUBLE_EQ(entry(sum.sparse, 0, 1), -4.0 / 7);
  EXPECT_EQ(normalise(sparse_and_dense(false), Normalisation::none).dense, sparse_and_dense(false).dense);
}

TEST(Features, MixTheSameSparseOrDense) {
  Graph graph;
  graph.nodes = 3;
  graph.edges = {{0, 1}, {1, 2}};
  const Csr a = normalised_adjacency(adjacency(graph), 0.1);
  const Features dense = mix(a, sparse_and_dense(false)), sparse = mix(a, sparse_and_dense(true));
  for (Index r = 0; r < 3; ++r) {
    for (std::int32_t c = 0; c < 2; ++c)
      EXPECT_NEAR(dense.dense[r * 2 + c], entry(sparse.sparse, r, c), 1e-6);
  }
  const std::vector<double> precise = mix_dense<double>(a, sparse_and_dense(false));
  for (Index r = 0; r < 3; ++r) {
    for (std::int32_t c = 0; c < 2; ++c)
      EXPECT_NEAR(precise[r * 2 + c], entry(sparse.sparse, r, c), 1e-15) << "rounded to float32 on the way";
  }
  EXPECT_EQ(count_product_nonzeros(a, sparse_and_dense(true).sparse, 100), sparse.sparse.nonzeros());
  EXPECT_EQ(count_product_nonzeros(a, sparse_and_dense(true).sparse, 1), 2) << "gives up past the limit";
}

}  // namespace
}  // namespace gdkm
