#include "gdkm/training/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "gdkm/support/error.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

using Rows = std::vector<std::int32_t>;

struct ScoredProblem {
  int classes;
  std::vector<double> probabilities;
  Rows labels, rows;
};

/// Coarse probabilities, so that ties occur; every third row is left out.
ScoredProblem random_problem(int classes, int n, std::uint64_t seed) {
  Random random({seed, Purpose::generator, 0});
  ScoredProblem p{classes, {}, {}, {}};
  for (int r = 0; r < n; ++r) {
    std::vector<double> row(classes);
    for (double& value : row) value = 1 + static_cast<double>(random.below(8));
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (const double value : row) p.probabilities.push_back(value / sum);
    p.labels.push_back(static_cast<std::int32_t>(random.below(classes)));
    if (r % 3 != 0) p.rows.push_back(r);
  }
  return p;
}

/// The definitions, read aloud.
Metrics brute_force(const ScoredProblem& p) {
  const auto at = [&](int row, int c) { return p.probabilities[row * p.classes + c]; };
  const auto n = static_cast<double>(p.rows.size());
  const auto predicted = [&](int row) {
    int best = 0;
    for (int c = 1; c < p.classes; ++c) best = at(row, c) > at(row, best) ? c : best;
    return best;
  };
  Metrics out;
  for (const auto row : p.rows) {
    out.accuracy += predicted(row) == p.labels[row] ? 100 / n : 0;
    out.nll -= std::log(at(row, p.labels[row])) / n;
  }
  for (int b = 0; b < 15; ++b) {
    double inside = 0, confidence = 0, correct = 0;
    for (const auto row : p.rows) {
      const double c = at(row, predicted(row));
      if (!(c > b / 15.0 && c <= (b + 1) / 15.0)) continue;
      ++inside;
      confidence += c;
      correct += predicted(row) == p.labels[row] ? 1 : 0;
    }
    if (inside > 0) out.ece += inside / n * std::abs(correct / inside - confidence / inside);
  }
  double pairs = 0, ordered = 0;
  for (const auto i : p.rows) {
    for (const auto j : p.rows) {
      if (p.classes != 2 || p.labels[i] != 1 || p.labels[j] != 0) continue;
      ++pairs;
      ordered += at(i, 1) > at(j, 1) ? 1 : at(i, 1) == at(j, 1) ? 0.5 : 0;
    }
  }
  if (pairs > 0) out.auc = ordered / pairs;
  return out;
}

TEST(Metrics, AgreeWithTheirDefinitions) {
  for (const int classes : {2, 3, 7}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const ScoredProblem p = random_problem(classes, 150, seed);
      const auto got = evaluate(p.probabilities, p.classes, p.labels, p.rows);
      const Metrics want = brute_force(p);
      ASSERT_TRUE(got.has_value());
      EXPECT_NEAR(got->accuracy, want.accuracy, 1e-10);
      EXPECT_NEAR(got->nll, want.nll, 1e-12);
      EXPECT_NEAR(got->ece, want.ece, 1e-12);
      ASSERT_EQ(got->auc.has_value(), want.auc.has_value());
      EXPECT_NEAR(got->auc.value_or(0), want.auc.value_or(0), 1e-12);
    }
  }
}

TEST(Metrics, PredictTheLowestOfEquallyProbableClasses) {
  const std::vector<double> half{0.5, 0.5, 0.5, 0.5};
  EXPECT_DOUBLE_EQ(evaluate(half, 2, Rows{0, 0}, Rows{0, 1})->accuracy, 100);
  EXPECT_DOUBLE_EQ(evaluate(half, 2, Rows{1, 1}, Rows{0, 1})->accuracy, 0);
}

TEST(Metrics, StayFiniteForAConfidentMistake) {
  const auto metrics = evaluate(std::vector<double>{1, 0}, 2, Rows{1}, Rows{0});
  EXPECT_DOUBLE_EQ(metrics->nll, -std::log(1e-300));
  EXPECT_DOUBLE_EQ(metrics->ece, 1);
}

TEST(Metrics, ArePerfectForACertainRightAnswer) {
  const auto metrics = evaluate(std::vector<double>{1, 0, 0, 1}, 2, Rows{0, 1}, Rows{0, 1});
  EXPECT_DOUBLE_EQ(metrics->accuracy, 100);
  EXPECT_DOUBLE_EQ(metrics->nll, 0);
  EXPECT_DOUBLE_EQ(metrics->ece, 0);
  EXPECT_DOUBLE_EQ(metrics->auc.value(), 1);
}

TEST(Metrics, HaveNoAucForOneClassOrMoreThanTwo) {
  const std::vector<double> two{0.4, 0.6, 0.7, 0.3}, three{0.2, 0.3, 0.5, 0.1, 0.1, 0.8};
  EXPECT_FALSE(evaluate(two, 2, Rows{1, 1}, Rows{0, 1})->auc.has_value());
  EXPECT_FALSE(evaluate(two, 2, Rows{0, 0}, Rows{0, 1})->auc.has_value());
  EXPECT_FALSE(evaluate(three, 3, Rows{0, 1}, Rows{0, 1})->auc.has_value());
}

TEST(Metrics, GiveHalfAnAucToAConstantScore) {
  const std::vector<double> constant{0.3, 0.7, 0.3, 0.7, 0.3, 0.7};
  EXPECT_DOUBLE_EQ(evaluate(constant, 2, Rows{0, 1, 1}, Rows{0, 1, 2})->auc.value(), 0.5);
}

TEST(Metrics, LeaveOutRowsWithoutALabel) {
  const std::vector<double> p{0.9, 0.1, 0.9, 0.1};
  EXPECT_DOUBLE_EQ(evaluate(p, 2, Rows{0, -1}, Rows{0, 1})->accuracy, 100);
  EXPECT_FALSE(evaluate(p, 2, Rows{-1, -1}, Rows{0, 1}).has_value());
  EXPECT_FALSE(evaluate(p, 2, Rows{0, 1}, {}).has_value());
}

TEST(Metrics, CallABrokenProbabilityANumericalFailure) {
  for (const double broken : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const std::vector<double> p{0.5, 0.5, 0.5, broken};
    EXPECT_THROW(evaluate(p, 2, Rows{0, 1}, Rows{0, 1}), NumericalError);
    EXPECT_NO_THROW(evaluate(p, 2, Rows{0, 1}, Rows{0}));
  }
}

TEST(MeanRmse, IsTheErrorOfPredictingTheMeanOfTheTrainingRows) {
  const float unknown = std::nanf("");
  const std::vector<float> one{1, 3, unknown, 5, 7};
  EXPECT_DOUBLE_EQ(mean_rmse(1, one, Rows{0, 1, 2}, Rows{2, 3, 4}), std::sqrt((9.0 + 25.0) / 2));
  const std::vector<float> two{1, 10, 3, 30, 2, 24};
  EXPECT_DOUBLE_EQ(mean_rmse(2, two, Rows{0, 1}, Rows{2}), std::sqrt((0.0 + 16.0) / 2));
  EXPECT_TRUE(std::isnan(mean_rmse(1, one, Rows{2}, Rows{0})));
  EXPECT_TRUE(std::isnan(mean_rmse(1, one, Rows{0}, {})));
}

TEST(MajorityAccuracy, PredictsTheMostFrequentTrainingClass) {
  const Rows labels{0, 2, 2, 1, 2, 0, -1, 1};
  EXPECT_DOUBLE_EQ(majority_accuracy(labels, Rows{0, 1, 2}, Rows{3, 4, 5, 6}), 100.0 / 3);
  EXPECT_DOUBLE_EQ(majority_accuracy(labels, Rows{7, 5, 6}, Rows{0, 3}), 50);  // a tie: class 0
  EXPECT_TRUE(std::isnan(majority_accuracy(labels, {}, Rows{0})));
  EXPECT_TRUE(std::isnan(majority_accuracy(labels, Rows{0}, Rows{6})));
}

TEST(MeanAndStd, TakesTheSampleDeviation) {
  const Summary s = mean_and_std(std::vector<double>{1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.std, std::sqrt(14.0 / 3));
  EXPECT_EQ(s.count, 4);
  EXPECT_DOUBLE_EQ(mean_and_std(std::vector<double>{5}).std, 0);
  EXPECT_TRUE(std::isnan(mean_and_std({}).mean));
}

TEST(SummariseRuns, IsOverSeedsWhereThereIsOneSplit) {
  const std::vector<RunValue> runs{{0, 4, 80}, {1, 4, 82}, {2, 4, 84}};
  const Summary s = summarise_runs(runs);
  EXPECT_DOUBLE_EQ(s.mean, 82);
  EXPECT_DOUBLE_EQ(s.std, 2);
  EXPECT_EQ(s.count, 3);
}

TEST(SummariseRuns, IsOverTheMeansOfSeveralSplits) {
  // Seeds differ by 10 within a split, splits by 2: only the latter counts.
  const std::vector<RunValue> runs{{0, 0, 75}, {1, 0, 85}, {0, 1, 77}, {1, 1, 87}, {0, 2, 79}, {1, 2, 89}};
  const Summary s = summarise_runs(runs);
  EXPECT_DOUBLE_EQ(s.mean, 82);
  EXPECT_DOUBLE_EQ(s.std, 2);
  EXPECT_EQ(s.count, 3);
  EXPECT_TRUE(std::isnan(summarise_runs({}).mean));
}

}  // namespace
}  // namespace gdkm
