#include "gdkm/models/exact/full_rank_training.hpp"

#include <cmath>
#include <string>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
/// Adam's two running means for one stretch of parameters.
struct Moments {
  std::vector<double> first, second;

  void ascend(const AdamStep& step, std::span<const double> gradient, std::span<double> parameter) {
    first.resize(parameter.size());
    second.resize(parameter.size());
    const double count = static_cast<double>(step.count);
    const double rate =
        step.rate * std::sqrt(1 - std::pow(step.beta2, count)) / (1 - std::pow(step.beta1, count));
    const double epsilon = step.epsilon * std::sqrt(1 - std::pow(step.beta2, count));
    for (std::size_t k = 0; k < parameter.size(); ++k) {
      first[k] += (1 - step.beta1) * (gradient[k] - first[k]);
      second[k] += (1 - step.beta2) * (gradient[k] * gradient[k] - second[k]);
      parameter[k] += rate * first[k] / (std::sqrt(second[k]) + epsilon);
    }
  }
};
}  // namespace

double polynomial_rate(std::int64_t step, std::int64_t steps, double rate, double power) {
  return rate * std::pow(1 - static_cast<double>(step) / static_cast<double>(steps), power);
}

FullRankValue train(FullRankDkm& dkm, GramTop& top, const FullRankTraining& training) {
  const int layers = dkm.model().layers();
  std::vector<Moments> moments(static_cast<std::size_t>(layers) + 1);
  for (std::int64_t step = 0; step < training.steps; ++step) {
    const FullRankValue value = dkm.evaluate(top, true);
    if (!std::isfinite(value.objective)) {
      throw NumericalError("the full-rank objective is not finite at step " + std::to_string(step) +
                           "; lower the learning rate, or raise the jitter");
    }
    const AdamStep adam{.rate = training.rate(step, training.steps), .count = step + 1};
    for (int k = 0; k < layers; ++k) moments[k].ascend(adam, dkm.gradient(k).value, dkm.parameters(k).value);
    moments.back().ascend(adam, top.gradient(), top.parameters());
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
