#include "gdkm/experiments/kernel_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gdkm {
namespace {

TEST(KernelPicture, CosinesOfFeaturesAndLabels) {
  const NodeFeatures features{2, {3, 0, 0, 2, 1, 1, 0, 0}};
  const KernelPicture kernel = picture_of_features(features, {0, 1, 2, 3});
  EXPECT_DOUBLE_EQ(kernel.cosine[0], 1);
  EXPECT_DOUBLE_EQ(kernel.cosine[1], 0);
  EXPECT_NEAR(kernel.cosine[2], std::sqrt(0.5), 1e-12);
  EXPECT_DOUBLE_EQ(kernel.cosine[15], 0) << "a node without features";
  const KernelPicture labels = picture_of_labels({0, 1, 0, 1}, {0, 1, 2, 3});
  EXPECT_DOUBLE_EQ(labels.cosine[2], 1);
  EXPECT_DOUBLE_EQ(labels.cosine[1], 0);
}

TEST(KernelPicture, NodesAreSortedByClassAndEvenlyDrawn) {
  EXPECT_EQ(nodes_by_class({1, 0, 1, 0, 0, 0, -1}, 2, 2), (std::vector<std::int32_t>{1, 4, 0, 2}));
  EXPECT_EQ(nodes_by_class({1, 0, 1}, 2, 5), (std::vector<std::int32_t>{1, 0, 2}));
}

}  // namespace
}  // namespace gdkm
