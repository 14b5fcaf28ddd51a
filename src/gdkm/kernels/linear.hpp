#pragma once

#include "gdkm/kernels/kernel_formula.hpp"
#include "gdkm/support/host_device.hpp"

namespace gdkm {

/// Linear kernel: K = G. The infinite-width limit of a network without nonlinearity.
template <class T>
struct Linear {
  GDKM_HOST_DEVICE static T value(T g, T /*si*/, T /*sj*/, T /*inv_si*/, T /*inv_sj*/) { return g; }
  GDKM_HOST_DEVICE static Pointwise<T> gradient(T g, T /*si*/, T /*sj*/, T /*inv_si*/, T /*inv_sj*/) {
    return {g, T(1), T(0), T(0)};
  }
  GDKM_HOST_DEVICE static T diagonal(T s) { return s * s; }
  GDKM_HOST_DEVICE static T diagonal_gradient(T s) { return T(2) * s; }
  static T mean_activation(T /*variance*/) { return T(0); }
  static constexpr bool is_identity = true;
};

}  // namespace gdkm
