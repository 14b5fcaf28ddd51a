#include "gdkm/experiments/confidence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gdkm {
namespace {

TEST(Student, IsThatOfTables) {
  EXPECT_NEAR(student(1), 12.706, 1e-3);
  EXPECT_NEAR(student(9), 2.262, 1e-3);
  EXPECT_NEAR(student(29), 2.045, 2e-3);
  EXPECT_NEAR(student(1e6), 1.96, 1e-3);
}

TEST(RankCorrelation, SeesOrderAlone) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6}, up{1, 10, 11, 50, 51, 1000};
  EXPECT_DOUBLE_EQ(rank_correlation(x, up).value, 1);
  std::vector<double> down(up.rbegin(), up.rend());
  EXPECT_DOUBLE_EQ(rank_correlation(x, down).value, -1);
  EXPECT_DOUBLE_EQ(rank_correlation(x, down).high, -1) << "whichever pairs are drawn";
}

TEST(RankCorrelation, OfUnrelatedNumbersHasAnIntervalAroundZero) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8}, y{4, 1, 8, 5, 2, 7, 3, 6};
  const RankCorrelation found = rank_correlation(x, y);
  EXPECT_LT(found.low, found.value);
  EXPECT_LT(found.low, 0);
  EXPECT_GT(found.high, 0);
}

TEST(RankCorrelation, EqualNumbersShareARank) {
  const std::vector<double> x{1, 1, 2, 2}, y{3, 3, 4, 4};
  EXPECT_DOUBLE_EQ(rank_correlation(x, y).value, 1);
}

TEST(RankCorrelation, OfThreePairsIsNotKnown) {
  const std::vector<double> x{1, 2, 3};
  EXPECT_TRUE(std::isnan(rank_correlation(x, x).value));
}

}  // namespace
}  // namespace gdkm
