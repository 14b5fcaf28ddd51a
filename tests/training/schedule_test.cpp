#include "gdkm/training/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace gdkm {
namespace {

TEST(LearningRate, RisesFromATenthToThePeakAndFallsToAThousandth) {
  EXPECT_DOUBLE_EQ(learning_rate(0, 300, 1e-2), 1e-3);
  EXPECT_DOUBLE_EQ(learning_rate(75, 300, 1e-2), 1e-2);
  EXPECT_EQ(learning_rate(299, 300, 1e-2), 1e-2 / 1000);
  EXPECT_DOUBLE_EQ(learning_rate(25, 300, 1e-2), 4e-3);
  EXPECT_NEAR(learning_rate(187, 300, 1e-2), (1e-2 + 1e-5) / 2, 1e-12);  // half way down
}

TEST(LearningRate, HasOnePeakAndStaysWithinItsBounds) {
  for (std::int64_t steps = 1; steps <= 200; ++steps) {
    EXPECT_EQ(learning_rate(0, steps, 1.0), 0.1);
    EXPECT_EQ(learning_rate(steps - 1, steps, 1.0), steps > 1 ? 0.001 : 0.1);
    bool falling = false;
    double highest = 0;
    for (std::int64_t k = 0; k + 1 < steps; ++k) {
      const double now = learning_rate(k, steps, 1.0), next = learning_rate(k + 1, steps, 1.0);
      EXPECT_GE(now, 0.001);
      EXPECT_LE(now, 1.0);
      EXPECT_FALSE(falling && next > now) << k << " of " << steps;
      highest = std::max(highest, now);
      falling = falling || next < now;
    }
    EXPECT_DOUBLE_EQ(highest, steps >= 3 ? 1.0 : steps == 2 ? 0.1 : 0) << steps;
  }
}

TEST(LearningRate, IsDefinedForTheShortestRuns) {
  EXPECT_DOUBLE_EQ(learning_rate(0, 1, 1.0), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate(0, 2, 1.0), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate(1, 2, 1.0), 0.001);
  EXPECT_DOUBLE_EQ(learning_rate(0, 3, 1.0), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate(1, 3, 1.0), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(2, 3, 1.0), 0.001);
}

TEST(LearningRate, AConstantRateIsTheRateInEveryStep) {
  for (const int steps : {1, 2, 3, 8, 300}) {
    for (int k = 0; k < steps; ++k) EXPECT_EQ(learning_rate(k, steps, 0.03, constant_rate), 0.03);
  }
}

}  // namespace
}  // namespace gdkm
