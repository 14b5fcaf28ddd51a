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
  const std::vector<double> x{1, 1, 1, 2, 2, 2}, y{3, 3, 3, 4, 4, 4};
  EXPECT_DOUBLE_EQ(rank_correlation(x, y).value, 1);
}

TEST(RankCorrelation, OfFivePairsIsNotKnown) {
  const std::vector<double> x{1, 2, 3, 4, 5};
  EXPECT_TRUE(std::isnan(rank_correlation(x, x).value));
}

TEST(RankCorrelation, OfEqualNumbersIsNotKnown) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6}, same(6, 0.0);
  EXPECT_TRUE(std::isnan(rank_correlation(x, same).value));
  EXPECT_TRUE(std::isnan(rank_correlation(same, x).low));
}

TEST(SignedRankTest, IsThatOfTables) {
  // All 2^n signs are equally likely; of five positive differences one in 32 has no negative rank.
  EXPECT_DOUBLE_EQ(signed_rank_test(std::vector<double>{1, 2, 3, 4, 5}).p, 2.0 / 32);
  EXPECT_DOUBLE_EQ(signed_rank_test(std::vector<double>{-1, 2, 3, 4, 5}).p, 4.0 / 32);
  EXPECT_DOUBLE_EQ(signed_rank_test(std::vector<double>{1, -2, -3, -4, -5}).p, 4.0 / 32) << "two-sided";
  // Rank sums of 10 differences up to 8 have 25 of 1,024 sets of signs.
  EXPECT_DOUBLE_EQ(signed_rank_test(std::vector<double>{1, 2, 3, 4, 5, 6, 7, -8, 9, 10}).p, 50.0 / 1024);
}

TEST(SignedRankTest, SharesRanksAndLeavesOutZeros) {
  // Ranks 1.5, 1.5 and 3: sums up to 1.5 have 3 of 8 sets of signs.
  EXPECT_DOUBLE_EQ(signed_rank_test(std::vector<double>{1, -1, 2}).p, 6.0 / 8);
  EXPECT_DOUBLE_EQ(signed_rank_test(std::vector<double>{0, 1, -1, 2, 0}).p, 6.0 / 8);
  EXPECT_DOUBLE_EQ(signed_rank_test(std::vector<double>{3, -3}).p, 1);
  EXPECT_TRUE(std::isnan(signed_rank_test(std::vector<double>{0, 0}).p));
  EXPECT_EQ(signed_rank_test(std::vector<double>{0, 1, -1, 2, 0}).unequal, 3u);
}

TEST(SignedRankTest, TakesNumbersThatDifferByRoundingAsEqual) {
  const double third = 1.0 / 3, almost = 0.1 + 0.2 - 0.3;
  const auto exact = signed_rank_test(std::vector<double>{third, -third, third, 1, 0});
  const auto rounded = signed_rank_test(std::vector<double>{third + 1e-15, -third, third - 2e-15, 1, almost});
  EXPECT_NE(almost, 0);
  EXPECT_EQ(rounded.p, exact.p);
  EXPECT_EQ(rounded.unequal, 4u);
}

}  // namespace
}  // namespace gdkm
