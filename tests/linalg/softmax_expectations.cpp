#include "tests/linalg/softmax_expectations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gdkm::testing {

namespace {

constexpr double pi = 3.141592653589793, euler = 0.5772156649015329, step = 0.5;

/// Distribution function and density of g + deviation · ε, a Gumbel and a normal variable. Trapezoidal sums
/// of analytic functions: their error falls exponentially with 1/step.
struct Smoothed {
  double distribution = 0, density = 0;
};
Smoothed smoothed_gumbel(double y, double deviation) {
  Smoothed out;
  if (deviation < 1) {
    for (double e = -12 * step; e < 12.5 * step; e += step) {
      const double weight = step * std::exp(-0.5 * e * e) / std::sqrt(2 * pi), x = y - deviation * e;
      const double f = weight * std::exp(-std::exp(-x));
      out.distribution += f;
      if (f > 0) out.density += f * std::exp(-x);
    }
    return out;
  }
  for (double g = -8 * step; g < 25; g += step) {
    const double weight = step * std::exp(-g - std::exp(-g)), z = (y - g) / deviation;
    out.distribution += weight * 0.5 * std::erfc(-z / std::sqrt(2.0));
    out.density += weight * std::exp(-0.5 * z * z) / std::sqrt(2 * pi) / deviation;
  }
  return out;
}

}  // namespace

SoftmaxExpectations softmax_expectations_of(const double* mean, Index classes, double deviation) {
  SoftmaxExpectations out;
  out.probability.assign(static_cast<std::size_t>(classes), 0.0);
  out.variance = out.probability;
  const double largest = *std::max_element(mean, mean + classes),
               width = step * std::max(1.0, 0.5 * deviation);
  std::vector<double> rate(static_cast<std::size_t>(classes));
  for (double x = largest - 4 - 7 * deviation; x < largest + 25 + 8 * deviation; x += width) {
    double product = width;
    for (Index c = 0; c < classes && product > 0; ++c) {
      const Smoothed at = smoothed_gumbel(x - mean[c], deviation);
      rate[static_cast<std::size_t>(c)] = at.distribution > 1e-290 ? at.density / at.distribution : 0;
      product *= at.distribution;
    }
    if (!(product > 1e-30)) continue;
    const double sum = std::accumulate(rate.begin(), rate.end(), 0.0);
    out.log_sum += product * x * sum;
    for (std::size_t c = 0; c < rate.size(); ++c) {
      out.probability[c] += product * rate[c];
      out.variance[c] += product * rate[c] * (sum - rate[c]);
    }
  }
  out.log_sum -= euler;
  return out;
}

}  // namespace gdkm::testing
