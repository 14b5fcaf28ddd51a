#include "gdkm/graph/diffusion.hpp"

#include <gtest/gtest.h>

#include "gdkm/graph/feature_forms.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {
namespace {

/// A path of four nodes, and one node apart.
Csr path_and_one_apart() {
  Graph graph;
  graph.nodes = 5;
  graph.edges = {{0, 1}, {1, 2}, {2, 3}};
  return normalised_adjacency(adjacency(graph), 0);
}

Features one_column(const std::vector<float>& values) {
  Features out;
  out.rows = static_cast<Index>(values.size());
  out.cols = 1;
  out.dense = values;
  return out;
}

TEST(Diffusion, IsTheMeanOverWalksOfUpToKSteps) {
  const Csr mixing = path_and_one_apart();
  const Features x = one_column({1, -2, 0.5F, 3, 4});
  const Features once = mix(mixing, x), twice = mix(mixing, once), thrice = mix(mixing, twice);
  const Features out = diffused(x, mixing, 3);
  for (std::size_t k = 0; k < 5; ++k) {
    const double mean = (double{once.dense[k]} + twice.dense[k] + thrice.dense[k]) / 3;
    EXPECT_NEAR(out.dense[k], (1 - diffusion_stays) * mean + diffusion_stays * x.dense[k], 1e-6) << k;
  }
}

TEST(Diffusion, LeavesANodeWithoutNeighboursAsItIs) {
  EXPECT_NEAR(diffused(one_column({1, -2, 0.5F, 3, 4}), path_and_one_apart(), 16).dense[4], 4, 1e-5);
}

TEST(Diffusion, OfSparseFeaturesIsThatOfDenseOnes) {
  const Features dense = one_column({0, 0, 2, 0, 1});
  const Features of_dense = diffused(dense, path_and_one_apart(), 4);
  const Features of_sparse = diffused(sparse_features(nonzero_entries(dense)), path_and_one_apart(), 4);
  ASSERT_FALSE(of_sparse.is_sparse);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_FLOAT_EQ(of_sparse.dense[k], of_dense.dense[k]);
  EXPECT_GT(of_sparse.dense[0], 0) << "two steps away from node 2";
}

}  // namespace
}  // namespace gdkm
