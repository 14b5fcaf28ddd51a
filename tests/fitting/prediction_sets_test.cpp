#include "gdkm/fitting/prediction_sets.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

Predictions numbers() {
  Predictions out;
  out.items = 3;
  out.outputs = 1;
  out.regression = true;
  out.values = {10, 2, 20, 1, 30, 4};  // mean, deviation
  out.label = {0, 0, 0};
  out.target = {13, 20.5, 100};
  return out;
}

TEST(PredictionSets, IntervalsOfNumbersReachAsFarAsScoresSay) {
  ModelCard card;
  card.conformal = {{0.2, 0.5, 1.0, 1.5}};
  const PredictionSets sets = prediction_sets(numbers(), card, 0.8);  // the fourth of four
  EXPECT_TRUE(sets.calibrated);
  EXPECT_EQ(sets.lower, (std::vector<double>{7, 18.5, 24}));
  EXPECT_EQ(sets.upper, (std::vector<double>{13, 21.5, 36}));
  EXPECT_NEAR(sets.measured->measured, 2.0 / 3, 1e-12);
  EXPECT_NEAR(sets.measured->size, (6 + 3 + 12) / 3.0, 1e-12);
  EXPECT_EQ(sets.measured->calibration_items, 4);
  EXPECT_TRUE(std::isinf(prediction_sets(numbers(), card, 0.9).upper[0])) << "four scores are too few";
}

TEST(PredictionSets, WithoutScoresIntervalsAreThoseOfTheNormalDistribution) {
  const PredictionSets sets = prediction_sets(numbers(), {}, 0.95);
  EXPECT_FALSE(sets.calibrated);
  EXPECT_NEAR(sets.upper[0], 10 + 2 * 1.959964, 1e-5);
  EXPECT_NEAR(sets.lower[1], 20 - 1.959964, 1e-5);
}

TEST(PredictionSets, AreMeasuredOnItemsThatTrainingDidNotUse) {
  ModelCard card;
  card.conformal = {{0.2, 0.5, 1.0, 1.5}};
  Predictions some = numbers();
  some.seen = {0, 1, 1};
  EXPECT_EQ(prediction_sets(some, card, 0.8).measured->items, 1);
  some.seen = {1, 1, 1};
  EXPECT_FALSE(prediction_sets(some, card, 0.8).measured);
}

TEST(PredictionSets, OfClassesNeedScores) {
  Predictions classes;
  classes.items = 1;
  classes.outputs = 2;
  classes.values = {0.7, 0.3};
  EXPECT_THROW(prediction_sets(classes, {}, 0.9), OptionError);
  ModelCard card;
  card.conformal = {{0.1, 0.2, 0.35}};
  const PredictionSets sets = prediction_sets(classes, card, 0.75);
  EXPECT_EQ(sets.member, (std::vector<char>{1, 0}));
  EXPECT_FALSE(sets.measured);
  EXPECT_THROW(prediction_sets(classes, card, 1), OptionError);
}

}  // namespace
}  // namespace gdkm
