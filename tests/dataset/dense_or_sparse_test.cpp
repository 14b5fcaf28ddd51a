#include "gdkm/dataset/dense_or_sparse.hpp"

#include <gtest/gtest.h>

namespace gdkm {
namespace {

/// One value in every `each` columns.
Features dense(Index rows, Index cols, Index each) {
  Features out;
  out.rows = rows;
  out.cols = cols;
  for (Index k = 0; k < rows * cols; ++k)
    out.dense.push_back(k % each == 0 ? static_cast<float>(k + 1) : 0.0F);
  return out;
}

TEST(InCheaperForm, WideFeaturesThatAreNearlyAllZeroBecomeSparseWithTheSameValues) {
  const Features before = dense(5, 300, 40), after = in_cheaper_form(before);
  ASSERT_TRUE(after.is_sparse);
  EXPECT_EQ(after.rows, 5);
  EXPECT_EQ(after.cols, 300);
  std::vector<float> filled(before.dense.size(), 0.0F);
  for (Index r = 0; r < 5; ++r) {
    for (Index k = after.sparse.row_start[r]; k < after.sparse.row_start[r + 1]; ++k)
      filled[r * 300 + after.sparse.col[k]] = static_cast<float>(after.sparse.value[k]);
  }
  EXPECT_EQ(filled, before.dense);
}

TEST(InCheaperForm, NarrowOrFullFeaturesStayDense) {
  EXPECT_FALSE(in_cheaper_form(dense(5, 255, 40)).is_sparse);
  EXPECT_FALSE(in_cheaper_form(dense(5, 300, 5)).is_sparse);
}

}  // namespace
}  // namespace gdkm
