#pragma once

#include <cmath>
#include <cstdint>

namespace gdkm {

/// The learning rate of step 0 … steps − 1: a line from peak/10 to peak over the first quarter of the steps,
/// then half a cosine down to peak/1000, which the last step has. A single step takes the first rate.
inline double learning_rate(std::int64_t step, std::int64_t steps, double peak) {
  const double first = peak / 10, last = peak / 1000;
  const std::int64_t warm = steps >= 8 ? steps / 4 : 1;  // the step that has the peak
  if (step <= 0) return first;
  if (step >= steps - 1) return last;
  if (step < warm) return first + (peak - first) * static_cast<double>(step) / static_cast<double>(warm);
  const double part = static_cast<double>(step - warm) / static_cast<double>(steps - 1 - warm);
  constexpr double pi = 3.141592653589793;
  return last + (peak - last) * 0.5 * (1 + std::cos(pi * part));
}

}  // namespace gdkm
