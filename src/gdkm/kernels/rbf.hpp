#pragma once

#include <cmath>

#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/support/host_device.hpp"

namespace gdkm {

/// Squared-exponential kernel of unit length scale, from Gram matrices alone:
///
///   K_ij = exp(−½ (s_i² + s_j² − 2 G_ij)),   K_ii = 1
///   ∂K/∂G_ij = K_ij,   ∂K/∂s_i = −s_i K_ij,   ∂K/∂s_j = −s_j K_ij
template <class T>
struct Rbf {
  GDKM_HOST_DEVICE static T value(T g, T si, T sj, T /*inv_si*/, T /*inv_sj*/) {
    const T exponent = g - T(0.5) * (si * si + sj * sj);
    // A squared distance is not negative; rounding of G must not say otherwise. (A NaN stays one.)
    return std::exp(exponent > T(0) ? T(0) : exponent);
  }
  GDKM_HOST_DEVICE static Pointwise<T> gradient(T g, T si, T sj, T inv_si, T inv_sj) {
    const T k = value(g, si, sj, inv_si, inv_sj);
    return {k, k, -si * k, -sj * k};
  }
  GDKM_HOST_DEVICE static T diagonal(T /*s*/) { return T(1); }
  GDKM_HOST_DEVICE static T diagonal_gradient(T /*s*/) { return T(0); }
};

}  // namespace gdkm
