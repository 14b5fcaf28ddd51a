#pragma once

#include <cmath>

#include "gdkm/kernels/kernel_formula.hpp"
#include "gdkm/support/host_device.hpp"

namespace gdkm {

/// √x. On a GPU the correctly rounded root takes ten instructions and a branch. This version takes two and is
/// accurate to one unit in the last place.
GDKM_HOST_DEVICE inline float square_root(float x) {
#ifdef __CUDA_ARCH__
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
#else
  return std::sqrt(x);
#endif
}

/// arccos on [−1, 1]; `sine` receives sin(arccos c), which costs one more square root. In float32 it is a
/// polynomial with a relative error below 3e-9 before rounding, so that the compiler can vectorise loops.
GDKM_HOST_DEVICE inline float angle_of(float c, float& sine) {
  const float x = std::fabs(c);
  const float root = square_root(1.0f - x);
  float p = 7.09175478695e-4f;
  p = p * x - 4.07379572136e-3f;
  p = p * x + 1.11908387360e-2f;
  p = p * x - 2.08663698648e-2f;
  p = p * x + 3.26368936367e-2f;
  p = p * x - 5.06105263748e-2f;
  p = p * x + 8.90322915459e-2f;
  p = p * x - 2.14601265573e-1f;
  p = p * x + 1.57079632349f;
  sine = root * square_root(1.0f + x);
  const float acute = root * p;
  return c < 0.0f ? 3.14159265358979f - acute : acute;
}
GDKM_HOST_DEVICE inline double angle_of(double c, double& sine) {
  sine = std::sqrt((1.0 - c) * (1.0 + c));
  return std::acos(c);
}

/// Arc-cosine kernel of order 1, the infinite-width limit of √2·ReLU; it preserves the diagonal:
///
///   K_ij = s_i s_j / π · (sin θ + (π − θ) cos θ),   cos θ = G_ij / (s_i s_j),   K_ii = s_i²
///
///   ∂K/∂G_ij = (π − θ)/π,   ∂K/∂s_i = s_j sin θ / π,   ∂K/∂s_j = s_i sin θ / π
///
/// Neither the value nor the derivatives are singular at θ = 0 or π, so it is enough to clip cos θ to [−1,
/// 1]. A zero row (`inv_s` = 0) has K = 0 and receives no gradient. The mean of σ(z) = √2·ReLU(z) for z ~
/// N(0, g) is √(g/π).
template <class T>
struct ArcCos {
  static constexpr T over_pi = T(0.318309886183790671538);
  static constexpr T pi = T(3.14159265358979323846);

  GDKM_HOST_DEVICE static T cosine(T g, T inv_si, T inv_sj) {
    const T c = g * inv_si * inv_sj;
    return c > T(1) ? T(1) : (c < T(-1) ? T(-1) : c);
  }
  GDKM_HOST_DEVICE static T value(T g, T si, T sj, T inv_si, T inv_sj) {
    const T c = cosine(g, inv_si, inv_sj);
    T sine;
    const T theta = angle_of(c, sine);
    return si * sj * over_pi * (sine + (pi - theta) * c);
  }
  GDKM_HOST_DEVICE static Pointwise<T> gradient(T g, T si, T sj, T inv_si, T inv_sj) {
    const T c = cosine(g, inv_si, inv_sj);
    T sine;
    const T theta = angle_of(c, sine);
    const T rest = pi - theta;
    const T alive = inv_si * inv_sj > T(0) ? over_pi : T(0);
    return {si * sj * over_pi * (sine + rest * c), alive * rest, alive * sj * sine, alive * si * sine};
  }
  GDKM_HOST_DEVICE static T diagonal(T s) { return s * s; }
  GDKM_HOST_DEVICE static T diagonal_gradient(T s) { return T(2) * s; }
  static T mean_activation(T variance) { return std::sqrt(variance / pi); }
  static constexpr bool is_identity = false;
};

}  // namespace gdkm
