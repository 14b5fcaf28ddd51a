#pragma once

namespace gdkm::cuda {

/// A number stored as the sum of two doubles, of which the second is below the rounding error of the first.
/// It has about 32 digits, for the few products that lose half of them (cholesky_of_gram). The intrinsics
/// prevent the compiler from fusing products into sums, which would make the error terms wrong.
struct alignas(16) DoubleDouble {
  double high = 0, low = 0;
  DoubleDouble() = default;
  __device__ DoubleDouble(double value) : high(value) {}
  __device__ DoubleDouble(double high_, double low_) : high(high_), low(low_) {}
  __device__ explicit operator double() const { return high + low; }
};

/// a + b and its rounding error, for |a| ≥ |b|.
__device__ inline DoubleDouble quick_sum(double a, double b) {
  const double s = __dadd_rn(a, b);
  return {s, __dsub_rn(b, __dsub_rn(s, a))};
}

/// a + b and its rounding error (Knuth).
__device__ inline DoubleDouble exact_sum(double a, double b) {
  const double s = __dadd_rn(a, b), t = __dsub_rn(s, a);
  return {s, __dadd_rn(__dsub_rn(a, __dsub_rn(s, t)), __dsub_rn(b, t))};
}

__device__ inline DoubleDouble operator-(DoubleDouble x) {
  return {-x.high, -x.low};
}

__device__ inline DoubleDouble operator+(DoubleDouble x, DoubleDouble y) {
  DoubleDouble s = exact_sum(x.high, y.high);
  const DoubleDouble t = exact_sum(x.low, y.low);
  s = quick_sum(s.high, __dadd_rn(s.low, t.high));
  return quick_sum(s.high, __dadd_rn(s.low, t.low));
}

__device__ inline DoubleDouble operator-(DoubleDouble x, DoubleDouble y) {
  return x + (-y);
}

__device__ inline DoubleDouble operator*(DoubleDouble x, DoubleDouble y) {
  const double p = __dmul_rn(x.high, y.high);
  const double e = __fma_rn(x.high, y.high, -p);
  return quick_sum(p, __dadd_rn(e, __fma_rn(x.high, y.low, __dmul_rn(x.low, y.high))));
}

}  // namespace gdkm::cuda
