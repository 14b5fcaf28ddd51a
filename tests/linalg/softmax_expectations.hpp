#pragma once

#include <vector>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm::testing {

/// Expectations of p = softmax(z), z_c ~ N(mean_c, deviation²), by plain sums with small steps: see
/// SmoothedGumbel for the formulas. Slow.
struct SoftmaxExpectations {
  std::vector<double> probability;  // E p
  std::vector<double> variance;     // E p_c(1 − p_c)
  double log_sum = 0;               // E log Σ exp z
};
SoftmaxExpectations softmax_expectations_of(const double* mean, Index classes, double deviation);

}  // namespace gdkm::testing
