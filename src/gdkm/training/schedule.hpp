#pragma once

#include <cmath>
#include <cstdint>

namespace gdkm {

/// A learning rate over the steps 0 … n − 1: a line from peak / `start` to the peak over the first n /
/// `warm_up` steps, then half a cosine down to peak / `end`, which the last step has. A single step takes the
/// first rate.
struct Schedule {
  double start = 10, end = 1000;
  std::int64_t warm_up = 4;
};

/// The paper's schedule.
inline constexpr Schedule paper_schedule{};
inline constexpr Schedule constant_rate{.start = 1, .end = 1};

inline double learning_rate(std::int64_t step, std::int64_t steps, double peak,
                            const Schedule& schedule = paper_schedule) {
  const double first = peak / schedule.start, last = peak / schedule.end;
  const std::int64_t warm = steps >= 2 * schedule.warm_up ? steps / schedule.warm_up : 1;  // has the peak
  if (step <= 0) return first;
  if (step >= steps - 1) return last;
  if (step < warm) return first + (peak - first) * static_cast<double>(step) / static_cast<double>(warm);
  const double part = static_cast<double>(step - warm) / static_cast<double>(steps - 1 - warm);
  constexpr double pi = 3.141592653589793;
  return last + (peak - last) * 0.5 * (1 + std::cos(pi * part));
}

}  // namespace gdkm
