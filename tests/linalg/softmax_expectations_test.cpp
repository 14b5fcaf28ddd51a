#include "tests/linalg/softmax_expectations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "gdkm/linalg/smoothed_gumbel.hpp"

namespace gdkm {
namespace {

/// The sums that everything else is compared with are themselves compared with a simulation.
TEST(SoftmaxExpectations, AgreeWithASimulation) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  for (const double deviation : {0.0, 0.3, 0.9, 1.1, 4.0, 15.0}) {
    const std::vector<double> mean{1, -2, 0.5 + deviation};
    const auto exact = testing::softmax_expectations_of(mean.data(), 3, deviation);
    constexpr int draws = 200000;
    std::vector<double> probability(3), variance(3);
    double log_sum = 0;
    for (int k = 0; k < draws; ++k) {
      std::vector<double> z;
      for (const double each : mean) z.push_back(each + deviation * normal(engine));
      const double top = *std::max_element(z.begin(), z.end());
      double sum = 0;
      for (const double each : z) sum += std::exp(each - top);
      log_sum += (top + std::log(sum)) / draws;
      for (std::size_t c = 0; c < 3; ++c) {
        const double p = std::exp(z[c] - top) / sum;
        probability[c] += p / draws;
        variance[c] += p * (1 - p) / draws;
      }
    }
    // Five standard errors of the mean of so many draws.
    EXPECT_NEAR(exact.log_sum, log_sum, 1e-5 + 5 * deviation / std::sqrt(draws)) << deviation;
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(exact.probability[c], probability[c], 1e-5 + 2.5 / std::sqrt(draws)) << deviation;
      EXPECT_NEAR(exact.variance[c], variance[c], 1e-5 + 1.0 / std::sqrt(draws)) << deviation;
    }
  }
}

TEST(SmoothedGumbel, IsADistributionFunctionAndItsDensity) {
  const SmoothedGumbel gumbel;
  for (const double s : {0.0, 0.4, 0.74, 0.76, 2.0, 30.0}) {
    double before = 0;
    for (double y = -3.5 - 5 * s; y < 17.5 + 6 * s; y += 0.1 * (1 + s)) {
      const auto at = gumbel.at(y, s);
      EXPECT_GE(at.distribution, before - 2e-6) << s << " at " << y;
      before = at.distribution;
      const double h = 1e-4 * (1 + s),
                   slope = (gumbel.at(y + h, s).distribution - gumbel.at(y - h, s).distribution) / (2 * h);
      EXPECT_NEAR(at.density, slope, 1e-4) << s << " at " << y;
    }
    EXPECT_NEAR(before, 1, 2e-6) << s;
  }
}

}  // namespace
}  // namespace gdkm
