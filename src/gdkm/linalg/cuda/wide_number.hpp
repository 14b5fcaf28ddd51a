#pragma once

#include <cmath>

#include "gdkm/linalg/cuda/double_double.hpp"

namespace gdkm::cuda {

/// The type with twice the digits of T.
template <class T>
struct Twice;
template <>
struct Twice<float> {
  using Type = double;
};
template <>
struct Twice<double> {
  using Type = DoubleDouble;
};

__device__ inline float plus_product(float sum, float a, float b) {
  return fmaf(a, b, sum);
}
__device__ inline double plus_product(double sum, double a, double b) {
  return fma(a, b, sum);
}
__device__ inline DoubleDouble plus_product(DoubleDouble sum, DoubleDouble a, DoubleDouble b) {
  return sum + a * b;
}

__device__ inline float leading(float x) {
  return x;
}
__device__ inline double leading(double x) {
  return x;
}
__device__ inline double leading(DoubleDouble x) {
  return x.high;
}

/// The leading part of a number, for uses where its rounding does not matter.
template <class U>
using Leading = decltype(leading(U{}));

/// 1/√x, accurate to the last digit or two: the hardware's estimate and one Newton step.
__device__ inline float inverse_root(float x) {
  const float r = rsqrtf(x);
  return fmaf(r, fmaf(-0.5f * x * r, r, 0.5f), r);
}
__device__ inline double inverse_root(double x) {
  return rsqrt(x);
}
__device__ inline DoubleDouble inverse_root(DoubleDouble x) {
  const DoubleDouble r(rsqrt(x.high)), half(0.5);
  return r + r * (half - half * x * r * r);
}

/// The nearest number of the narrower type.
template <class T, class U>
__device__ inline T rounded(U x) {
  if constexpr (sizeof(U) == 16) {
    return static_cast<T>(static_cast<double>(x));
  } else {
    return static_cast<T>(x);
  }
}

}  // namespace gdkm::cuda
