#include "gdkm/dataset/feature_columns.hpp"

#include <gtest/gtest.h>

#include "gdkm/dataset/dense_or_sparse.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using Kind = FeatureColumns::Kind;
using Lists = std::vector<std::vector<std::int32_t>>;

FeatureColumns labels(const Lists& values, Index attributes = 0) {
  return {Kind::labels, values, attributes, "new_labels.txt"};
}

Features dense_columns(Index cols, const std::vector<float>& values) {
  Features out;
  out.rows = static_cast<Index>(values.size()) / cols;
  out.cols = cols;
  out.dense = values;
  return out;
}

TEST(FeatureColumnsTest, ValuesFindTheirColumnsAndOthersStayZero) {
  const Features found =
      align(dense_columns(2, {1, 0, 0, 1, 0, 1}), labels({{2, 5}}), labels({{0, 2, 4, 5}}));
  EXPECT_EQ(found.cols, 4);
  EXPECT_EQ(found.dense, (std::vector<float>{0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST(FeatureColumnsTest, EveryColumnOfLabelsIsMappedByItselfAndAttributesFollow) {
  const Features found = align(dense_columns(4, {1, 1, 0, 0.5F, 1, 0, 1, -2}), labels({{1}, {0, 3}}, 1),
                               labels({{0, 1}, {0, 2, 3}}, 1));
  EXPECT_EQ(found.dense, (std::vector<float>{0, 1, 1, 0, 0, 0.5F, 0, 1, 0, 0, 1, -2}));
}

TEST(FeatureColumnsTest, SparseFeaturesAreMappedAsDenseOnesAre) {
  std::vector<std::int32_t> known(60), few(30);
  for (std::int32_t k = 0; k < 60; ++k) known[static_cast<std::size_t>(k)] = k;
  for (std::int32_t k = 0; k < 30; ++k) few[static_cast<std::size_t>(k)] = 2 * k + 1;
  Csr one_hot;
  one_hot.rows = one_hot.cols = 30;
  for (std::int32_t k = 0; k < 30; ++k) {
    one_hot.col.push_back(k);
    one_hot.value.push_back(1);
    one_hot.row_start.push_back(k + 1);
  }
  const Features found = align(dense_or_sparse(one_hot), labels({few}), labels({known}));
  ASSERT_TRUE(found.is_sparse);
  EXPECT_EQ(found.cols, 60);
  EXPECT_EQ(found.sparse.cols, 60);
  EXPECT_EQ(found.sparse.col, few);
  EXPECT_EQ(found.sparse.row_start, one_hot.row_start);
}

TEST(FeatureColumnsTest, ValuesThatTheModelDoesNotKnowAreNamed) {
  const Features two = dense_columns(2, {1, 0, 0, 1});
  expect_input_error(
      [&] {
        align(two, labels({{5, 6}}), labels({{5, 7}}));
      },
      {"new_labels.txt", "node label 6", "5, 7"});
  expect_input_error(
      [&] {
        align(dense_columns(3, {1, 0, 1}), labels({{5}, {6, 8}}), labels({{5}, {6, 7}}));
      },
      {"column 2", "node label 8"});
}

TEST(FeatureColumnsTest, OnlyDegreesThatOccurMustBeKnown) {
  const FeatureColumns three{Kind::degrees, {{0, 1, 2, 3}}, 0, "new"}, one{Kind::degrees, {{0, 1}}, 0, ""};
  EXPECT_EQ(align(dense_columns(2, {0, 1}), one, three).dense, (std::vector<float>{0, 1, 0, 0}));
  expect_input_error(
      [&] {
        align(dense_columns(4, {0, 1, 0, 0, 0, 0, 0, 1}), three, one);
      },
      {"new", "degree 3"});
}

TEST(FeatureColumnsTest, FeaturesOfAnotherKindAreRefused) {
  const Features x = dense_columns(1, {1});
  const FeatureColumns degrees{Kind::degrees, {{0}}, 0, "folder"};
  expect_input_error([&] { align(x, degrees, labels({{0}})); }, {"folder", "only degrees", "1 node label"});
  expect_input_error([&] { align(x, labels({{0}}), degrees); }, {"new_labels.txt", "only degrees"});
  expect_input_error([&] { align(x, labels({{0}}), labels({{0}}, 2)); }, {"2 attributes"});
  expect_input_error([&] { align(x, labels({}, 1), labels({{0}})); }, {"no node labels and 1 attribute"});
}

TEST(FeatureColumnsTest, UnknownColumnsStayAsTheyAre) {
  const Features x = dense_columns(2, {1, 2});
  EXPECT_EQ(align(x, {}, labels({{0, 1, 2}})).dense, x.dense);
  EXPECT_EQ(align(x, labels({{0, 1}}), {}).dense, x.dense);
}

}  // namespace
}  // namespace gdkm
