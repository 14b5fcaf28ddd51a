#pragma once

#include <functional>

#include "gdkm/models/exact/full_rank_dkm.hpp"
#include "gdkm/models/exact/gp_regression.hpp"

namespace gdkm {

/// rate · (1 − step/steps)^power: decreases from `rate` at step 0 to 0 after the last step.
double polynomial_rate(std::int64_t step, std::int64_t steps, double rate, double power);

struct FullRankTraining {
  std::int64_t steps = 300;
  /// The learning rate of a step.
  std::function<double(std::int64_t step, std::int64_t of)> rate = [](std::int64_t step, std::int64_t of) {
    return polynomial_rate(step, of, 0.01, 0.7);
  };
  /// Called after each step with the values before it. Return false to stop.
  std::function<bool(std::int64_t step, const FullRankValue& value)> after_step;
};

/// Maximises J with Adam over the parameters of the model and of `top`. Returns the final value. Throws a
/// NumericalError if J is not finite.
FullRankValue train(FullRankDkm& dkm, GramTop& top, const FullRankTraining& training);

/// Regression at all nodes with the kernel Φ(G_L) and the noise of the last evaluation. The scale is 1,
/// because kernel and noise were learned with that scale.
Posterior predict(const FullRankDkm& dkm, const GaussianTop& top);

}  // namespace gdkm
