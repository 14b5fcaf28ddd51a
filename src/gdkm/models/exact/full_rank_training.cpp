#include "gdkm/models/exact/full_rank_training.hpp"

#include <cmath>

#include "gdkm/models/exact/full_rank_adam.hpp"

namespace gdkm {

double polynomial_rate(std::int64_t step, std::int64_t steps, double rate, double power) {
  return rate * std::pow(1 - static_cast<double>(step) / static_cast<double>(steps), power);
}

FullRankValue train(FullRankDkm& dkm, GramTop& top, const FullRankTraining& training) {
  FullRankAdam adam(dkm, top);
  for (std::int64_t step = 0; step < training.steps; ++step) {
    const FullRankValue value = adam.step(training.rate(step, training.steps));
    if (training.after_step && !training.after_step(step, value)) break;
  }
  return dkm.evaluate(top, false);
}

Posterior predict(const FullRankDkm& dkm, const GaussianTop& top) {
  Posterior out = posterior(kernel_blocks(dkm.output_kernel(), top.train()), top.targets(), top.noise());
  out.scale = 1;
  return out;
}

}  // namespace gdkm
