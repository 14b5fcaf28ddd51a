#include "gdkm/training/conformal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/study.hpp"
#include "gdkm/support/error.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

TEST(Conformal, ThresholdHasTheCorrectionForFiniteSamples) {
  std::vector<double> nine(9);
  std::iota(nine.begin(), nine.end(), 1.0);
  EXPECT_EQ(conformal_threshold(nine, 0.9), 9) << "the ninth of nine: ceil(10 · 0.9)";
  EXPECT_EQ(conformal_threshold(nine, 0.5), 5);
  EXPECT_TRUE(std::isinf(conformal_threshold(nine, 0.91)));
  EXPECT_TRUE(std::isinf(conformal_threshold({}, 0.5)));
  std::vector<double> hundred(99);
  std::iota(hundred.begin(), hundred.end(), 1.0);
  EXPECT_EQ(conformal_threshold(hundred, 0.29), 29) << "100 · 0.29 is a little more than 29";
  EXPECT_EQ(fewest_conformal_items(0.9), 9);
  EXPECT_EQ(fewest_conformal_items(0.95), 19);
  EXPECT_EQ(fewest_conformal_items(0.5), 1);
}

TEST(Conformal, ScoresOfClassesAreOneMinusTheProbabilityOfTheTruth) {
  Problem problem;
  problem.classes = 2;
  problem.label = {0, 1, -1, 0};
  const std::vector<double> p{0.9, 0.1, 0.6, 0.4, 0.5, 0.5, 0.2, 0.8};
  const auto scores = conformal_scores(problem, p, {0, 1, 2, 3});
  ASSERT_EQ(scores.size(), 1u);
  ASSERT_EQ(scores[0].size(), 3u);
  EXPECT_NEAR(scores[0][0], 0.1, 1e-12);
  EXPECT_NEAR(scores[0][1], 0.6, 1e-12);
  EXPECT_NEAR(scores[0][2], 0.8, 1e-12);
  // Classes with p >= 0.4 are members: {0}, {0, 1}, …, {1}; the first two sets hold the truth.
  const auto coverage = measure_coverage(problem, p, {0, 1, 2, 3}, {0.6 + 1e-9});
  EXPECT_EQ(coverage->items, 3);
  EXPECT_NEAR(coverage->measured, 2.0 / 3, 1e-12);
  EXPECT_NEAR(coverage->size, 4.0 / 3, 1e-12);
  EXPECT_FALSE(measure_coverage(problem, p, {2}, {1}).has_value());
}

TEST(Conformal, ScoresOfNumbersAreResidualsInDeviations) {
  Problem problem;
  problem.targets = 1;
  problem.label = {0, 0};
  problem.target = {3, std::nanf("")};
  const auto scores = conformal_scores(problem, std::vector<double>{1, 4, 0, 1}, {0, 1});
  ASSERT_EQ(scores[0].size(), 1u);
  EXPECT_NEAR(scores[0][0], 0.5, 1e-12);
  const auto coverage = measure_coverage(problem, std::vector<double>{1, 4, 0, 1}, {0, 1}, {0.5});
  EXPECT_EQ(coverage->measured, 1);
  EXPECT_NEAR(coverage->size, 4, 1e-12);
}

TEST(Conformal, KeptItemsAreApartFromAllOthers) {
  Split split;
  for (std::int32_t k = 0; k < 40; ++k) (k < 20 ? split.train : split.val).push_back(k);
  const Split kept = keep_apart(split, 0.25, 3);
  EXPECT_EQ(kept.val.size(), 15u);
  EXPECT_EQ(kept.conformal.size(), 5u);
  std::vector<std::int32_t> both = kept.val;
  both.insert(both.end(), kept.conformal.begin(), kept.conformal.end());
  std::sort(both.begin(), both.end());
  EXPECT_EQ(both, split.val);
  EXPECT_NE(kept.conformal, keep_apart(split, 0.25, 4).conformal);
  split.val.clear();
  EXPECT_THROW(keep_apart(split, 0.5, 0), OptionError);
}

/// The promise: over ten splits the mean is within two points of what was asked.
TEST(Conformal, CoverageIsWhatWasAskedFor) {
  const Dataset data = generate("csbm:n=1500,classes=3,homophily=0.6,features=20,degree=5,signal=1");
  Settings settings = testing::small_settings();
  settings.split.random = parse_split_spec("10/45/45");
  settings.split.count = 10;
  settings.training.epochs = 5;
  settings.split.conformal = 0.8;
  for (const double asked : {0.8, 0.9}) {
    StudyOptions options;
    options.coverage = asked;
    const auto runs = run_study(settings, data, {}, options).runs;
    ASSERT_EQ(runs.size(), 10u);
    double mean = 0, accuracy = 0;
    for (const RunResult& run : runs) {
      EXPECT_EQ(run.coverage->calibration_items, 540);
      mean += run.coverage->measured / 10;
      accuracy += run.test->accuracy / 1000;
    }
    EXPECT_LT(accuracy, asked - 0.05) << "the test is void if single classes have that coverage";
    EXPECT_NEAR(mean, asked, 0.02);
  }
}

}  // namespace
}  // namespace gdkm
