#pragma once

#include <functional>

#include "gdkm/models/exact/full_rank_dkm.hpp"
#include "gdkm/models/exact/gp_regression.hpp"

namespace gdkm {

/// rate · (1 − step/steps)^power: falls from `rate` at step 0 towards 0 after the last.
double polynomial_rate(std::int64_t step, std::int64_t steps, double rate, double power);

struct FullRankTraining {
  std::int64_t steps = 300;
  /// The learning rate of a step.
  std::function<double(std::int64_t step, std::int64_t of)> rate = [](std::int64_t step, std::int64_t of) {
    return polynomial_rate(step, of, 0.01, 0.7);
  };
  /// Called after each step with the values before it; false stops.
  std::function<bool(std::int64_t step, const FullRankValue& value)> after_step;
};

/// Maximises J by Adam, over the model's parameters and those of `top`. Returns the value at the end. A
/// NumericalError where J is no longer finite.
FullRankValue train(FullRankDkm& dkm, GramTop& top, const FullRankTraining& training);

/// Regression at all nodes with the learned kernel Φ(G_L) and noise, as of the last evaluation. The scale is
/// 1: kernel and noise have been learned with it.
Posterior predict(const FullRankDkm& dkm, const GaussianTop& top);

}  // namespace gdkm
