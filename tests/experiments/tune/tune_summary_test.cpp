#include "gdkm/experiments/tune/tune_summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gdkm {
namespace {

TEST(TuneSummary, GainsOnSplitsAllowForWhatTheseHaveInCommon) {
  const std::vector<RunValue> ours{{0, 0, 80}, {0, 1, 84}, {0, 2, 90}}, theirs{{0, 1, 81}, {0, 0, 79}};
  const auto gain = paired_difference(ours, theirs, 0.5);
  ASSERT_TRUE(gain);
  EXPECT_EQ(gain->pairs, 2) << "split 2 has no partner";
  EXPECT_DOUBLE_EQ(gain->mean, 2);
  EXPECT_DOUBLE_EQ(gain->error, std::sqrt(2.0) * std::sqrt(0.5 + 0.5));
  EXPECT_EQ(gain_text(*gain, Select::accuracy, false), "+2.00 ± 1.41");
  EXPECT_EQ(gain_text(*paired_difference(ours, theirs, NAN), Select::accuracy, false), "+2.00");
}

TEST(TuneSummary, GainsOverSeedsOfOneSplitAreOfIndependentNumbers) {
  const auto gain = paired_difference({{0, 0, 80}, {1, 0, 84}}, {{0, 0, 79}, {1, 0, 81}}, 0.5);
  EXPECT_DOUBLE_EQ(gain->error, 1);
  EXPECT_EQ(paired_difference({{0, 0, 80}}, {{0, 0, 79}}, 0.5)->error, 0);
  EXPECT_FALSE(paired_difference({{0, 0, 80}}, {{1, 0, 79}}, 0.5));
}

}  // namespace
}  // namespace gdkm
