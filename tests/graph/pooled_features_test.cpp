#include "gdkm/graph/pooled_features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/graph/feature_forms.hpp"

namespace gdkm {
namespace {

/// Graphs of two, no and three nodes.
const std::vector<std::int32_t> starts{0, 2, 2, 5};

Features five_rows() {
  Features out;
  out.rows = 5;
  out.cols = 2;
  out.dense = {1, -4, 3, 0, 2, 0, 3, 0, 4, -9};
  return out;
}

TEST(PooledFeatures, AreMeansSumsOrRootsOfSums) {
  const Features x = five_rows();
  EXPECT_EQ(pooled_features(x, starts, FeaturePooling::sum).dense, (std::vector<float>{4, -4, 0, 0, 9, -9}));
  EXPECT_EQ(pooled_features(x, starts, FeaturePooling::mean).dense, (std::vector<float>{2, -2, 0, 0, 3, -3}));
  EXPECT_EQ(pooled_features(x, starts, FeaturePooling::root).dense, (std::vector<float>{2, -2, 0, 0, 3, -3}));
}

TEST(PooledFeatures, AreTheSameSparseOrDense) {
  const Features x = five_rows();
  for (const auto how : {FeaturePooling::mean, FeaturePooling::sum, FeaturePooling::root}) {
    const Features sparse = pooled_features(sparse_features(nonzero_entries(x)), starts, how);
    ASSERT_TRUE(sparse.is_sparse);
    EXPECT_EQ(sparse.rows, 3);
    EXPECT_EQ(dense_features(sparse.sparse).dense, pooled_features(x, starts, how).dense);
  }
}

}  // namespace
}  // namespace gdkm
