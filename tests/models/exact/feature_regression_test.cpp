#include "gdkm/models/exact/feature_regression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/support/error.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

/// 24 rows of `width` features, and two columns of targets that they explain, with noise.
struct Case {
  Dense features, targets;
  std::vector<std::int32_t> train, val;

  explicit Case(Index width) : features(24, width), targets(24, 2) {
    Random random(Stream{5, Purpose::generator, 0});
    for (double& v : features.value) v = random.normal() + 0.3;
    Dense weights(width, 2);
    for (double& v : weights.value) v = random.normal();
    targets = multiply(features, weights);
    for (double& v : targets.value) v += 4 + random.normal();
    for (std::int32_t k = 0; k < 24; ++k) (k % 3 == 0 ? val : train).push_back(k);
  }
  static Dense rows(const Dense& of, const std::vector<std::int32_t>& which) {
    std::vector<std::int32_t> all;
    for (Index c = 0; c < of.cols; ++c) all.push_back(static_cast<std::int32_t>(c));
    return submatrix(of, which, all);
  }
  FeatureRegression regression(bool constant) const {
    return {rows(features, train), rows(targets, train), constant};
  }
};

/// K = U Uᵀ, with a constant that is large beside it, as a GP over all nodes has them.
Dense kernel_of(const Case& c, double constant) {
  Dense out = gram(c.features);
  for (double& v : out.value) v += constant;
  return out;
}

TEST(FeatureRegression, AgreesWithThePosteriorOfItsKernel) {
  for (const Index width : {5, 40}) {  // fewer features than rows, and more
    const Case c(width);
    const auto blocks = kernel_blocks(kernel_of(c, 0), c.train);
    const Dense y = Case::rows(c.targets, c.train), at_val = Case::rows(c.targets, c.val);
    const FeatureRegression regression = c.regression(false);
    const NuggetChoice exact = choose_nugget(blocks, y, c.val, at_val, NuggetScore::r_squared),
                       ours = regression.choose_nugget(Case::rows(c.features, c.val), at_val,
                                                       NuggetScore::r_squared);
    EXPECT_NEAR(ours.nugget, exact.nugget, 1e-9 * exact.nugget);
    for (std::size_t k = 0; k < exact.scores.size(); k += 5)
      EXPECT_NEAR(ours.scores[k], exact.scores[k], 1e-8) << k;
    for (const double nugget : {0.01, 1.0, 100.0}) {
      const Posterior posterior = gdkm::posterior(blocks, y, nugget);
      const FeatureWeights weights = regression.weights(nugget);
      const Dense mean = multiply(c.features, weights.mean),
                  spread = multiply(c.features, weights.covariance_factor);
      for (Index r = 0; r < 24; ++r) {
        for (Index k = 0; k < 2; ++k) EXPECT_NEAR(mean(r, k), posterior.mean(r, k), 1e-8);
        double variance = weights.noise;
        for (Index k = 0; k < width; ++k) variance += spread(r, k) * spread(r, k);
        EXPECT_NEAR(variance, posterior.predictive_variance(r), 1e-8 * posterior.predictive_variance(r));
      }
      EXPECT_EQ(weights.constant, (std::vector<double>{0, 0}));
    }
  }
}

TEST(FeatureRegression, ChoosesAmongNuggetsThatValidateAlikeAsTheKernelDoes) {
  // Classes that are far apart: nearly all nuggets predict them, and probabilities decide.
  Case c(5);
  for (Index r = 0; r < 24; ++r) {
    const bool first = r % 2 == 0;
    for (Index k = 0; k < 5; ++k) c.features(r, k) = 0.3 * c.features(r, k) + (first ? 3 : -3);
    c.targets(r, 0) = first ? 1 : 0;
    c.targets(r, 1) = first ? 0 : 1;
  }
  const Dense y = Case::rows(c.targets, c.train), at_val = Case::rows(c.targets, c.val);
  const auto blocks = kernel_blocks(kernel_of(c, 0), c.train);
  const NuggetChoice exact = choose_nugget(blocks, y, c.val, at_val, NuggetScore::accuracy),
                     ours = c.regression(false).choose_nugget(Case::rows(c.features, c.val), at_val,
                                                              NuggetScore::accuracy);
  EXPECT_EQ(ours.score, 1);
  EXPECT_GT(std::count(ours.scores.begin(), ours.scores.end(), 1.0), 50);
  EXPECT_NEAR(ours.nugget, exact.nugget, 1e-9 * exact.nugget);
  const auto grid = nugget_grid(blocks);
  EXPECT_LT(ours.nugget, grid.back()) << "the largest shrinks all probabilities";
}

TEST(FeatureRegression, AConstantIsThatOfAKernelWithALargeOne) {
  const Case c(5);
  const auto blocks = kernel_blocks(kernel_of(c, 1e6), c.train);
  const Posterior posterior = gdkm::posterior(blocks, Case::rows(c.targets, c.train), 1);
  const FeatureWeights weights = c.regression(true).weights(1);
  Dense mean = multiply(c.features, weights.mean);
  shift_columns(weights.constant, 1, mean);
  for (std::size_t k = 0; k < mean.value.size(); ++k)
    EXPECT_NEAR(mean.value[k], posterior.mean.value[k], 1e-4);
  EXPECT_NEAR(weights.constant[0], 4, 2) << "the level of the targets";
}

/// Each training row is left out in turn and predicted from the others, with the scale of all.
TEST(FeatureRegression, LeavingOneOutAgreesWithDoingIt) {
  for (const bool constant : {false, true}) {
    const Case c(5);
    const NuggetChoice choice = c.regression(constant).choose_nugget_leaving_one_out();
    const double large = constant ? 1e7 : 0;  // rounding grows with it, the error of the limit falls
    const Dense kernel = kernel_of(c, large);
    const auto blocks = kernel_blocks(kernel, c.train);
    const auto grid = nugget_grid(kernel_blocks(kernel_of(c, 0), c.train));
    ASSERT_EQ(choice.scores.size(), grid.size());
    for (const std::size_t k : {30u, 45u, 60u}) {
      const Dense y = Case::rows(c.targets, c.train);
      const double scale = posterior(blocks, y, grid[k]).scale;
      double density = 0;
      for (std::size_t left = 0; left < c.train.size(); ++left) {
        std::vector<std::int32_t> others = c.train;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(left));
        const auto at_it = select_nodes(kernel_blocks(kernel, others), {c.train[left]});
        const Posterior there = posterior(at_it, Case::rows(c.targets, others), grid[k]);
        const double variance = scale * (there.variance[0] + grid[k]);
        for (Index column = 0; column < 2; ++column) {
          const double error = c.targets(c.train[left], column) - there.mean(0, column);
          density -= 0.5 * (std::log(2 * 3.141592653589793 * variance) + error * error / variance);
        }
      }
      EXPECT_NEAR(choice.scores[k], density / static_cast<double>(y.value.size()), constant ? 1e-4 : 1e-8)
          << k << ", constant " << constant;
    }
    EXPECT_GT(choice.nugget, 10 * grid.front()) << "the targets have noise";
  }
}

TEST(FeatureRegression, NeedsRowsToTrainOn) {
  EXPECT_THROW(FeatureRegression(Dense(0, 3), Dense(0, 2), false), InputError);
}

TEST(FeatureRegression, SurvivesFeaturesWithoutVariance) {
  const FeatureRegression nothing(Dense(4, 3), Dense(4, 2, {1, 0, 1, 0, 0, 1, 0, 1}), false);
  const FeatureWeights weights = nothing.weights(nothing.choose_nugget_leaving_one_out().nugget);
  for (const double v : weights.mean.value) EXPECT_EQ(v, 0);
  for (const double v : weights.covariance_factor.value) EXPECT_TRUE(std::isfinite(v));
  EXPECT_GT(weights.noise, 0);
}

}  // namespace
}  // namespace gdkm
