#pragma once

#include <cmath>

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// Adam's update of one parameter, in the order of Algorithm 1 of Kingma & Ba (2015).
template <class T>
struct AdamUpdate {
  T beta1, beta2, epsilon, rate, correct1, correct2;

  /// Reads the clock of the step, so it must be constructed on the device that has the clock.
  GDKM_HOST_DEVICE explicit AdamUpdate(const AdamStep& step)
      : beta1(static_cast<T>(step.beta1)),
        beta2(static_cast<T>(step.beta2)),
        epsilon(static_cast<T>(step.epsilon)),
        rate(static_cast<T>(step.factor * (step.clock != nullptr ? step.clock->rate : step.rate))),
        correct1(correction(step, step.beta1)),
        correct2(correction(step, step.beta2)) {}

  GDKM_HOST_DEVICE void operator()(T gradient, T& first, T& second, T& parameter) const {
    first = beta1 * first + (T(1) - beta1) * gradient;
    second = beta2 * second + (T(1) - beta2) * gradient * gradient;
    parameter -= rate * (first * correct1) / (std::sqrt(second * correct2) + epsilon);
  }

 private:
  GDKM_HOST_DEVICE static T correction(const AdamStep& step, double beta) {
    const auto count = static_cast<double>(step.clock != nullptr ? step.clock->count : step.count);
    return static_cast<T>(1.0 / (1.0 - std::pow(beta, count)));
  }
};

}  // namespace gdkm
