#pragma once

#include <cuda_runtime.h>

namespace gdkm::cuda {

/// |x| as an integer; larger numbers have larger integers, infinity and NaN the largest.
inline __device__ unsigned magnitude(float x) {
  return __float_as_uint(x) & 0x7fffffffu;
}

/// The magnitude of a power of two.
constexpr unsigned power_of_two(int exponent) {
  return static_cast<unsigned>(exponent + 127) << 23;
}

/// Whether numbers whose largest magnitude is this cannot be split: they are not finite, so large that their
/// scaled products overflow, or all so small that their low parts underflow.
inline __device__ bool cannot_split(unsigned largest) {
  return largest >= power_of_two(100) || (largest != 0 && largest < power_of_two(-100));
}

/// The largest magnitude among the four threads that share a row.
inline __device__ unsigned largest_of_row(unsigned largest) {
  largest = max(largest, __shfl_xor_sync(0xffffffffu, largest, 1));
  return max(largest, __shfl_xor_sync(0xffffffffu, largest, 2));
}

}  // namespace gdkm::cuda
