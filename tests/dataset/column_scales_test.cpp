#include "gdkm/dataset/column_scales.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/dataset/preprocessing.hpp"
#include "gdkm/support/random.hpp"
#include "tests/dataset/small_table.hpp"

namespace gdkm {
namespace {

using testing::dense;
using testing::table;

Features standardised(const Features& x, const FeatureColumns& columns) {
  return standardise(x, columns, column_scales(x, columns));
}

double mean_square_of_rows(const Features& x) {
  double sum = 0;
  for (const float value : x.dense) sum += static_cast<double>(value) * value;
  return sum / static_cast<double>(x.rows);
}

/// Age in years and income in euros: what decides is not the unit.
TEST(ColumnScalesTest, ColumnsOfDifferentUnitsCountAlike) {
  Random random({3, Purpose::generator});
  std::vector<float> values;
  for (int r = 0; r < 200; ++r) {
    values.push_back(static_cast<float>(40 + 10 * random.normal()));
    values.push_back(static_cast<float>(50000 + 9000 * random.normal()));
  }
  const auto columns = table({{"age"}, {"income"}});
  const Features x = standardised(dense(2, values), columns);
  for (Index c = 0; c < 2; ++c) {
    double sum = 0, squares = 0;
    for (Index r = 0; r < x.rows; ++r) {
      sum += x.dense[r * x.cols + c];
      squares += std::pow(x.dense[r * x.cols + c], 2);
    }
    EXPECT_NEAR(sum / 200, 0, 1e-5);
    EXPECT_NEAR(squares / 200, 0.25, 1e-5);
  }
}

TEST(ColumnScalesTest, TheMeanSquareOfARowIsOneWhateverTheColumns) {
  const auto columns = table(
      {{"age"}, {"colour", ColumnType::category, {"blue", "green", "red"}}, {"member", ColumnType::flag}});
  const Features x = dense(5, {20, 1, 0, 0, 1, 30, 0, 1, 0, 0, 40, 0, 0, 1, 1, 90, 1, 0, 0, 0});
  EXPECT_NEAR(mean_square_of_rows(standardised(x, columns)), 1, 1e-6);
}

TEST(ColumnScalesTest, MissingValuesAreTheMeanAndDoNotMoveIt) {
  TableColumn age{"age"};
  age.has_missing = true;
  const auto columns = table({age});
  const Features x = dense(2, {10, 0, 20, 0, 12345, 1, 30, 0});
  const ColumnScales scales = column_scales(x, columns);
  EXPECT_DOUBLE_EQ(scales.mean[0], 20);
  EXPECT_FLOAT_EQ(standardise(x, columns, scales).dense[2 * 3], 0);
}

TEST(ColumnScalesTest, ARareFlagDoesNotDrownTheRest) {
  std::vector<float> values(2000, 0);
  for (std::size_t r = 0; r < 1000; ++r) values[2 * r] = r % 2 == 0 ? 1.0F : -1.0F;
  values[1] = 1;
  const Features x = standardised(dense(2, values), table({{"score"}, {"vip", ColumnType::flag}}));
  EXPECT_LT(std::fabs(x.dense[1]), 3);  // 32 deviations away, which would be 16
}

TEST(ColumnScalesTest, ConstantColumnsVanishAndNoRowIsZero) {
  const Features x = standardised(dense(2, {7, 1, 7, 2, 7, 3}), table({{"seven"}, {"score"}}));
  EXPECT_EQ(x.dense[0], 0);
  EXPECT_NEAR(mean_square_of_rows(x), 1, 1e-6);
  const Features constant = standardised(dense(1, {7, 7, 7}), table({{"seven"}}));
  EXPECT_EQ(constant.dense[0], 0);
  EXPECT_GT(constant.dense[1], 0);
}

TEST(ColumnScalesTest, OnlyTheNamedRowsAreMeasured) {
  const Features x = dense(1, {1, 3, 1000});
  const std::vector<std::int32_t> rows{0, 1};
  const ColumnScales scales = column_scales(x, {}, rows);
  EXPECT_DOUBLE_EQ(scales.mean[0], 2);
  EXPECT_DOUBLE_EQ(scales.scale[0], std::sqrt(0.5));
}

TEST(ColumnScalesTest, WideSparseFeaturesKeepTheirZeros) {
  Csr wide;
  wide.rows = 3;
  wide.cols = 5000;
  wide.col = {1, 4000, 1};
  wide.value = {2, 3, 4};
  wide.row_start = {0, 1, 2, 3};
  const Features x = sparse_features(wide);
  const ColumnScales scales = column_scales(x, {});
  EXPECT_EQ(scales.mean[1], 0);
  const Features out = standardise(x, {}, scales);
  ASSERT_TRUE(out.is_sparse);
  EXPECT_EQ(out.sparse.col, (std::vector<std::int32_t>{1, 5000, 4000, 5000, 1, 5000}));
  EXPECT_NEAR(out.sparse.value[0] / out.sparse.value[4], 0.5, 1e-12);
}

TEST(PreprocessingTest, TablesAreStandardisedAndOtherFeaturesHaveRowsOfLengthOne) {
  Dataset data;
  data.graph.nodes = 3;
  data.features = dense(2, {1, 10, 2, 30, 3, 20});
  EXPECT_EQ(settled({}, data).normalise, Normalisation::l2);
  data.columns = table({{"a"}, {"b"}});
  const Preprocessing how = settled({}, data);
  EXPECT_EQ(how.normalise, Normalisation::standard);
  EXPECT_EQ(normalised(data, how).dense, standardised(data.features, data.columns).dense);
}

}  // namespace
}  // namespace gdkm
