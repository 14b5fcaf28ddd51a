#pragma once

#include <limits>

#include "gdkm/support/host_device.hpp"

namespace gdkm {

/// The largest relative jitter that a factorisation tries.
inline constexpr double max_jitter = 0.1;

/// The jitter to try after `jitter` failed: ten times as much, and at least a little above rounding error.
template <class T>
GDKM_HOST_DEVICE inline T raise_jitter(T jitter) {
  const T least = T(100) * std::numeric_limits<T>::epsilon();
  return T(10) * jitter > least ? T(10) * jitter : least;
}

/// The smallest ratio of a diagonal entry of H to the largest one in cholesky_of_gram. Smaller ones would be
/// rounding error.
template <class T>
GDKM_HOST_DEVICE inline constexpr T least_diagonal() {
  return T(4) * std::numeric_limits<T>::epsilon();
}

}  // namespace gdkm
