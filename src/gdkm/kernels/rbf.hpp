#pragma once

#include <cmath>

#include "gdkm/kernels/kernel_formula.hpp"
#include "gdkm/support/host_device.hpp"

namespace gdkm {

/// Squared-exponential kernel with unit length scale, as a function of the Gram matrix:
///
///   K_ij = exp(−½ (s_i² + s_j² − 2 G_ij)),   K_ii = 1
///   ∂K/∂G_ij = K_ij,   ∂K/∂s_i = −s_i K_ij,   ∂K/∂s_j = −s_j K_ij
///
/// It is the infinite-width limit of random Fourier features, σ(z) = √2 cos(z + phase), whose mean is 0.
template <class T>
struct Rbf {
  GDKM_HOST_DEVICE static T value(T g, T si, T sj, T /*inv_si*/, T /*inv_sj*/) {
    const T exponent = g - T(0.5) * (si * si + sj * sj);
    // Rounding of G can make a squared distance negative: clip it at 0. A NaN stays a NaN.
    return std::exp(exponent > T(0) ? T(0) : exponent);
  }
  GDKM_HOST_DEVICE static Pointwise<T> gradient(T g, T si, T sj, T inv_si, T inv_sj) {
    const T k = value(g, si, sj, inv_si, inv_sj);
    return {k, k, -si * k, -sj * k};
  }
  GDKM_HOST_DEVICE static T diagonal(T /*s*/) { return T(1); }
  GDKM_HOST_DEVICE static T diagonal_gradient(T /*s*/) { return T(0); }
  static T mean_activation(T /*variance*/) { return T(0); }
  static constexpr bool is_identity = false;
};

}  // namespace gdkm
