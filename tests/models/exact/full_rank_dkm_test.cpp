#include "gdkm/models/exact/full_rank_dkm.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/graph/graph.hpp"
#include "gdkm/models/exact/full_rank_training.hpp"
#include "gdkm/models/exact/gp_regression.hpp"
#include "gdkm/models/exact/wide_network_kernels.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

constexpr Index n = 8;

FullRankModel small_model(KernelKind kind, std::vector<double> nu) {
  Random random(Stream{9, Purpose::generator, 0});
  Graph graph;
  graph.nodes = n;
  for (int k = 0; k < 10; ++k) {
    graph.edges.push_back(
        {static_cast<std::int32_t>(random.below(n)), static_cast<std::int32_t>(random.below(n))});
  }
  FullRankModel model;
  model.mixing = normalised_adjacency(adjacency(graph), 0.3);
  Dense x(n, 2 * n);
  for (double& v : x.value) v = random.normal() / 4;
  model.input = gram(x);
  model.kernel = kind;
  model.nu = std::move(nu);
  model.jitter = 1e-4;
  return model;
}

GaussianTop small_top(bool learn_noise) {
  return {{0, 2, 3, 6}, Dense(4, 2, {1, 0, 0, 1, 1, 0, 0.5, -0.3}), 0.2, learn_noise};
}

void set_random(FullRankDkm& dkm) {
  Random random(Stream{10, Purpose::generator, 0});
  for (int layer = 0; layer < dkm.model().layers(); ++layer) {
    Dense& raw = dkm.parameters(layer);
    for (Index r = 0; r < raw.rows; ++r) {
      for (Index c = 0; c <= r; ++c) raw(r, c) = 0.2 * random.normal();
    }
  }
}

class FullRankGradient : public ::testing::TestWithParam<std::string> {};

TEST_P(FullRankGradient, IsThatOfFiniteDifferences) {
  FullRankDkm dkm(small_model(value_named<KernelKind>(GetParam()).value(), {0.7, INFINITY, 1.3}));
  set_random(dkm);
  GaussianTop top = small_top(true);
  dkm.evaluate(top, true);
  const auto check = [&](double& parameter, double gradient, const std::string& what) {
    const double step = 1e-5, before = parameter;
    parameter = before + step;
    const double up = dkm.evaluate(top, false).objective;
    parameter = before - step;
    const double down = dkm.evaluate(top, false).objective;
    parameter = before;
    EXPECT_NEAR(gradient, (up - down) / (2 * step), 1e-7 * std::max(1.0, std::fabs(gradient))) << what;
  };
  const double noise_gradient = top.gradient()[0];
  for (const int layer : {0, 2}) {
    const Dense gradient = dkm.gradient(layer);
    for (Index r = 0; r < n; ++r) {
      for (Index c = 0; c < n; ++c) {
        if (c > r) {
          EXPECT_EQ(gradient(r, c), 0);
          continue;
        }
        check(dkm.parameters(layer)(r, c), gradient(r, c),
              "layer " + std::to_string(layer) + " at " + std::to_string(r) + ", " + std::to_string(c));
      }
    }
  }
  check(top.parameters()[0], noise_gradient, "noise");
}

INSTANTIATE_TEST_SUITE_P(Kernels, FullRankGradient, ::testing::ValuesIn(names_of<KernelKind>()),
                         [](const auto& param) { return param.param; });

TEST(FullRankDkm, IsTheObjectiveInItsGramMatrices) {
  FullRankDkm dkm(small_model(KernelKind::arccos, {0.5, 2}));
  set_random(dkm);
  GaussianTop top = small_top(false);
  const auto got = dkm.evaluate(top, false);
  const auto want = full_rank_objective(dkm.model(), {dkm.gram(0), dkm.gram(1)}, top, nullptr);
  EXPECT_NEAR(got.objective, want.objective, 1e-10 * std::fabs(want.objective));
  EXPECT_NEAR(got.kl[0], want.kl[0], 1e-10);
  EXPECT_NEAR(got.kl[1], want.kl[1], 1e-10);
}

TEST(FullRankDkm, AtInfiniteNuIsTheNetworkKernel) {
  FullRankModel model = small_model(KernelKind::arccos, {INFINITY, INFINITY});
  model.jitter = 0;
  FullRankDkm dkm(model);
  GaussianTop top = small_top(false);
  EXPECT_EQ(dkm.evaluate(top, true).kl, (std::vector<double>{0, 0}));
  Dense want = model.input;
  for (int layer = 0; layer < 2; ++layer) {
    want = model.proposal(want).factor;
    want = gram(want);
  }
  for (std::size_t k = 0; k < want.value.size(); ++k) EXPECT_NEAR(dkm.gram(1).value[k], want.value[k], 1e-12);
}

TEST(FullRankDkm, TrainingRaisesTheObjectiveAndMeetsAStationaryPoint) {
  for (const double nu : {0.1, 1.0}) {
    FullRankDkm dkm(small_model(KernelKind::arccos, {nu, nu}));
    GaussianTop top = small_top(true);
    const double before = dkm.evaluate(top, false).objective;
    FullRankTraining training;
    training.steps = 1500;
    std::int64_t calls = 0;
    training.after_step = [&](std::int64_t, const FullRankValue&) { return ++calls > 0; };
    const double after = train(dkm, top, training).objective;
    EXPECT_EQ(calls, 1500);
    EXPECT_GT(after, before + 1e-3);
    dkm.evaluate(top, true);
    for (int layer = 0; layer < 2; ++layer) {
      for (const double v : dkm.gradient(layer).value) EXPECT_LT(std::fabs(v), 3e-2);
    }
  }
}

TEST(FullRankDkm, PredictsWithTheLearnedKernelAndNoise) {
  FullRankDkm dkm(small_model(KernelKind::arccos, {1, 1}));
  set_random(dkm);
  GaussianTop top = small_top(false);
  dkm.evaluate(top, false);
  const Posterior got = predict(dkm, top);
  const Posterior want = posterior(kernel_blocks(dkm.output_kernel(), top.train()), top.targets(), 0.2);
  ASSERT_EQ(got.mean.rows, n);
  for (std::size_t k = 0; k < want.mean.value.size(); ++k) {
    EXPECT_NEAR(got.mean.value[k], want.mean.value[k], 1e-12);
  }
  EXPECT_EQ(got.scale, 1);
  EXPECT_NEAR(got.predictive_variance(1), want.variance[1] + 0.2, 1e-12);
}

TEST(FullRankDkm, TrainingStopsWhenAsked) {
  FullRankDkm dkm(small_model(KernelKind::linear, {1}));
  GaussianTop top = small_top(false);
  FullRankTraining training;
  std::int64_t last = -1;
  training.after_step = [&](std::int64_t step, const FullRankValue&) { return (last = step) < 4; };
  train(dkm, top, training);
  EXPECT_EQ(last, 4);
}

TEST(PolynomialRate, FallsFromTheRateTowardsZero) {
  EXPECT_DOUBLE_EQ(polynomial_rate(0, 100, 0.01, 0.7), 0.01);
  EXPECT_DOUBLE_EQ(polynomial_rate(50, 100, 0.01, 0.7), 0.01 * std::pow(0.5, 0.7));
  EXPECT_GT(polynomial_rate(99, 100, 0.01, 0.7), 0);
}

}  // namespace
}  // namespace gdkm
