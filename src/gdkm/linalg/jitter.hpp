#pragma once

#include <limits>

#include "gdkm/support/host_device.hpp"

namespace gdkm {

/// The largest relative jitter a factorisation will try.
inline constexpr double max_jitter = 0.1;

/// The next jitter to try after `jitter` failed: tenfold, from just above rounding.
template <class T>
GDKM_HOST_DEVICE inline T raise_jitter(T jitter) {
  const T least = T(100) * std::numeric_limits<T>::epsilon();
  return T(10) * jitter > least ? T(10) * jitter : least;
}

/// By how much the diagonal of H may fall below its largest entry in cholesky_of_gram: less would be
/// rounding.
template <class T>
GDKM_HOST_DEVICE inline constexpr T least_diagonal() {
  return T(4) * std::numeric_limits<T>::epsilon();
}

}  // namespace gdkm
