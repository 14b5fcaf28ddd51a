#pragma once

#include <cuda_bf16.h>

#include <cstdint>

namespace gdkm::cuda {

// A float is the sum of three bfloat16: each takes the next eight of its 24 bits. bfloat16 has the exponents of
// float, so that the parts of all but very small and very large numbers are exact. Of the nine products of
// parts, six are larger than the rounding error of a product in float.

/// The parts of two numbers, side by side as the tensor cores take them.
struct PartsOfTwo {
  std::uint32_t high, middle, low;
};

inline __device__ std::uint32_t rounded_pair(float first, float second) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
  return *reinterpret_cast<const std::uint32_t*>(&pair);
}

/// What is left of the numbers when their leading parts are taken away.
inline __device__ void subtract_pair(std::uint32_t pair, float& first, float& second) {
  first -= __uint_as_float(pair << 16);
  second -= __uint_as_float(pair & 0xffff0000u);
}

inline __device__ PartsOfTwo split(float first, float second) {
  PartsOfTwo out;
  out.high = rounded_pair(first, second);
  subtract_pair(out.high, first, second);
  out.middle = rounded_pair(first, second);
  subtract_pair(out.middle, first, second);
  out.low = rounded_pair(first, second);
  return out;
}

/// |x| as an integer; larger numbers have larger integers, infinity and NaN the largest.
inline __device__ unsigned magnitude(float x) {
  return __float_as_uint(x) & 0x7fffffffu;
}

/// Whether numbers whose largest magnitude is this cannot be split: they are infinite, NaN, would round to
/// infinity, or are all so small (below 2⁻¹⁰⁰) that their low parts underflow.
inline __device__ bool cannot_split(unsigned largest) {
  return largest >= 0x7f7f8000u || (largest != 0 && largest < 0x0d800000u);
}

}  // namespace gdkm::cuda
