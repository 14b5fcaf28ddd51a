#include "gdkm/models/exact/gp_regression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/models/exact/nugget.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

/// A kernel over 30 nodes and targets that it explains, with noise.
struct RegressionCase {
  Dense kernel, targets;
  std::vector<std::int32_t> train, val;

  RegressionCase() {
    Random random(Stream{21, Purpose::generator, 0});
    Dense features(30, 40);
    for (double& v : features.value) v = random.normal();
    for (Index r = 1; r < 30; r += 2) {
      for (Index c = 0; c < 40; ++c) features(r, c) = features(r - 1, c) + 0.3 * features(r, c);
    }
    kernel = gram(features);
    Dense weights(40, 2);
    for (double& v : weights.value) v = random.normal();
    targets = multiply(features, weights);
    for (double& v : targets.value) v += 2 * random.normal();
    for (std::int32_t k = 0; k < 30; ++k) (k % 2 == 0 ? train : val).push_back(k);
  }
  Dense targets_of(const std::vector<std::int32_t>& nodes) const { return submatrix(targets, nodes, {0, 1}); }
};

TEST(NuggetGrid, Has101ValuesAroundTheMeanDiagonal) {
  Dense kernel(2, 2, {1, 0, 0, 3});
  const auto grid = nugget_grid(kernel_blocks(kernel, {0, 1}));
  ASSERT_EQ(grid.size(), 101u);
  EXPECT_NEAR(grid.front(), 2e-5, 1e-15);
  EXPECT_NEAR(grid[50], 2, 1e-12);
  EXPECT_NEAR(grid.back(), 2e5, 1e-6);
}

TEST(ChooseNugget, ScoresAreThoseOfTheDirectPosterior) {
  const RegressionCase c;
  const auto blocks = kernel_blocks(c.kernel, c.train), at_val = select_nodes(blocks, c.val);
  const auto grid = nugget_grid(blocks);
  const auto r2 =
      choose_nugget(blocks, c.targets_of(c.train), c.val, c.targets_of(c.val), NuggetScore::r_squared);
  const auto density =
      choose_nugget(blocks, c.targets_of(c.train), c.val, c.targets_of(c.val), NuggetScore::density);
  ASSERT_EQ(r2.scores.size(), grid.size());
  for (std::size_t k = 0; k < grid.size(); k += 5) {
    const Posterior direct = posterior(at_val, c.targets_of(c.train), grid[k]);
    EXPECT_NEAR(r2.scores[k], r_squared(direct.mean, c.targets_of(c.val)), 1e-9);
    EXPECT_NEAR(density.scores[k], -negative_log_density(direct, c.targets_of(c.val)), 1e-8);
  }
  EXPECT_EQ(r2.score, *std::max_element(r2.scores.begin(), r2.scores.end()));
  EXPECT_GT(r2.score, 0.5);
}

/// Each training node is left out in turn and predicted from the others, with the scale of all.
TEST(ChooseNugget, LeavingOneOutAgreesWithDoingItAndDoesNotFallForTheSmallestNugget) {
  const RegressionCase c;
  const auto blocks = kernel_blocks(c.kernel, c.train);
  const Dense targets = c.targets_of(c.train);
  const auto choice = choose_nugget_leaving_one_out(blocks, targets);
  const auto grid = nugget_grid(blocks);
  ASSERT_EQ(choice.scores.size(), grid.size());
  for (const std::size_t k : {20u, 45u, 60u, 80u}) {
    const double scale = posterior(blocks, targets, grid[k]).scale;
    double density = 0;
    for (std::size_t left = 0; left < c.train.size(); ++left) {
      std::vector<std::int32_t> others = c.train;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(left));
      const auto at_it = select_nodes(kernel_blocks(c.kernel, others), {c.train[left]});
      const Posterior there = posterior(at_it, c.targets_of(others), grid[k]);
      const double variance = scale * (there.variance[0] + grid[k]);
      for (Index column = 0; column < 2; ++column) {
        const double error = c.targets(c.train[left], column) - there.mean(0, column);
        density -= 0.5 * (std::log(2 * 3.141592653589793 * variance) + error * error / variance);
      }
    }
    EXPECT_NEAR(choice.scores[k], density / static_cast<double>(targets.value.size()), 1e-8) << k;
  }
  EXPECT_GT(choice.nugget, 10 * grid.front()) << "the targets have noise";
  // The density of targets that were fitted prefers no noise: that is what must not decide.
  const auto fitted = choose_nugget(blocks, targets, c.train, targets, NuggetScore::density);
  EXPECT_LT(fitted.nugget, choice.nugget);
}

TEST(ChooseNugget, OfEquallyAccurateOnesTheBestProbabilitiesWin) {
  // Two far clusters, each with its class: every nugget classifies them perfectly, and the largest shrinks
  // all means to nothing.
  Dense kernel(4, 4, {2, 1, 0, 0, 1, 2, 0, 0, 0, 0, 2, 1, 0, 0, 1, 2});
  const std::vector<std::int32_t> label{0, 0, 1, 1}, train{0, 2}, val{1, 3};
  const auto blocks = kernel_blocks(kernel, train);
  const Dense targets = one_hot(label, train, 2);
  const auto choice = choose_nugget(blocks, targets, val, one_hot(label, val, 2), NuggetScore::accuracy);
  EXPECT_EQ(choice.score, 1);
  const auto right = [&](double nugget) {
    return class_probabilities(posterior(blocks, targets, nugget))(1, 0);
  };
  double best = 0;
  for (const double nugget : nugget_grid(blocks)) best = std::max(best, right(nugget));
  EXPECT_GT(best, 0.7);
  EXPECT_GT(right(choice.nugget), best - 0.01) << "16 of 101 nuggets are looked at";
}

TEST(ChooseNugget, TiesGoToTheLargestThatIsNotClearlyWorse) {
  NuggetChoice choice;
  const std::vector<double> grid{1, 2, 3, 4};
  for (const double nugget : grid) choice.add(nugget, nugget < 2 ? 0.5 : 0.9);
  EXPECT_EQ(choice.nugget, 4);
  // 1 has a lower score. 2 is the best; 3 is worse by less than a standard error, 4 by more.
  const auto log_p = [](double nugget) {
    if (nugget == 3) return std::vector<double>{-0.5, 0, -0.1, -0.1};
    return std::vector<double>(4, nugget == 2 ? -0.1 : nugget == 1 ? 0.0 : -0.3);
  };
  break_ties(grid, log_p, choice);
  EXPECT_EQ(choice.nugget, 3);

  std::vector<double> many, looked_at;
  NuggetChoice all;
  for (int k = 0; k <= 100; ++k) all.add(many.emplace_back(k), 1);
  break_ties(
      many, [&](double nugget) { return looked_at.push_back(nugget), std::vector<double>{-nugget}; }, all);
  EXPECT_EQ(looked_at.size(), 16u);
  EXPECT_EQ(looked_at.front(), 0);
  EXPECT_EQ(looked_at.back(), 100);
  EXPECT_EQ(all.nugget, 0) << "one item has no standard error";
}

TEST(ChooseNugget, NeedsNodesToTrainOnAndToChooseBy) {
  const RegressionCase c;
  EXPECT_THROW(choose_nugget(kernel_blocks(c.kernel, c.train), c.targets_of(c.train), {}, Dense(0, 2),
                             NuggetScore::r_squared),
               InputError);
  EXPECT_THROW(choose_nugget(kernel_blocks(c.kernel, {}), Dense(0, 2), c.val, c.targets_of(c.val),
                             NuggetScore::r_squared),
               InputError);
}

TEST(Posterior, InterpolatesWithoutNuggetAndForgetsWithALargeOne) {
  const RegressionCase c;
  const auto at_train = select_nodes(kernel_blocks(c.kernel, c.train), c.train);
  const Dense y = c.targets_of(c.train);
  const Posterior sharp = posterior(at_train, y, 0), vague = posterior(at_train, y, 1e9);
  for (std::size_t k = 0; k < y.value.size(); ++k) {
    EXPECT_NEAR(sharp.mean.value[k], y.value[k], 1e-8);
    EXPECT_NEAR(vague.mean.value[k], 0, 1e-4);
  }
  for (Index r = 0; r < y.rows; ++r) {
    EXPECT_NEAR(sharp.variance[r], 0, 1e-10);
    EXPECT_NEAR(vague.variance[r], c.kernel(c.train[r], c.train[r]), 1e-4);
  }
}

TEST(Posterior, PredictionsDoNotDependOnTheScaleOfTheKernel) {
  const RegressionCase c;
  const auto blocks = kernel_blocks(c.kernel, c.train);
  Dense scaled_kernel = c.kernel;
  for (double& v : scaled_kernel.value) v *= 1000;
  const Posterior a = posterior(blocks, c.targets_of(c.train), 3);
  const Posterior b = posterior(kernel_blocks(scaled_kernel, c.train), c.targets_of(c.train), 3000);
  const Dense pa = class_probabilities(a), pb = class_probabilities(b);
  for (std::size_t k = 0; k < pa.value.size(); ++k) {
    EXPECT_NEAR(a.mean.value[k], b.mean.value[k], 1e-9);
    EXPECT_NEAR(pa.value[k], pb.value[k], 1e-9);
  }
  EXPECT_NEAR(a.predictive_variance(1), b.predictive_variance(1), 1e-9);
}

TEST(Posterior, ShiftedTargetsAreShiftedBack) {
  const RegressionCase c;
  const auto blocks = kernel_blocks(c.kernel, c.train);
  Dense targets = c.targets_of(c.train);
  shift_columns({100, -7}, 1, targets);
  const auto means = column_means(targets);
  shift_columns(means, -1, targets);
  for (const double v : column_means(targets)) EXPECT_NEAR(v, 0, 1e-12);
  Posterior p = posterior(blocks, targets, 1e12);  // nothing left but the means
  shift_columns(means, 1, p.mean);
  EXPECT_NEAR(p.mean(5, 0), means[0], 1e-6);
  EXPECT_NEAR(p.mean(5, 1), means[1], 1e-6);
}

TEST(ClassProbabilities, AreNormalisedDensitiesOfTheOneHotRows) {
  Posterior p;
  p.mean = Dense(2, 3, {0.8, 0.1, 0.0, 1e4, 0, -1e4});
  p.variance = {0.2, 0.1};
  p.nugget = 0.3;
  p.scale = 0.5;
  const Dense got = class_probabilities(p);
  double densities[3], sum = 0;
  for (int k = 0; k < 3; ++k) {
    double square = 0;
    for (int j = 0; j < 3; ++j) square += std::pow((j == k ? 1 : 0) - p.mean(0, j), 2);
    sum += densities[k] = std::exp(-square / (2 * 0.5 * (0.2 + 0.3)));
  }
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(got(0, k), densities[k] / sum, 1e-12);
  EXPECT_EQ(got(1, 0), 1);  // no overflow
}

TEST(NegativeLogDensity, IsBestNearTheNoiseThatMadeTheData) {
  // The scale that the targets suggest is calibrated: squared errors are about the predictive variance.
  const RegressionCase c;
  const auto blocks = kernel_blocks(c.kernel, c.train);
  const Posterior p = posterior(select_nodes(blocks, c.val), c.targets_of(c.train), 4);
  double ratio = 0;
  for (Index r = 0; r < p.mean.rows; ++r) {
    const double off = p.mean(r, 0) - c.targets(c.val[r], 0);
    ratio += off * off / p.predictive_variance(r) / static_cast<double>(p.mean.rows);
  }
  EXPECT_GT(ratio, 0.3);
  EXPECT_LT(ratio, 3);
}

}  // namespace
}  // namespace gdkm
