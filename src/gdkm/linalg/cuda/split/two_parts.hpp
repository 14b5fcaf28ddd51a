#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "gdkm/linalg/cuda/split/chunk.hpp"
#include "gdkm/linalg/cuda/split/magnitude.hpp"

namespace gdkm::cuda {

// A float is the sum of two float16 of 11 bits each, up to 2⁻²³ of it: the unit of its last place. float16
// has few exponents, so numbers are scaled by powers of two: those of a row of the left factor by the largest
// of a chunk, those of a column of the right factor by the largest of all. Of the four products of parts,
// three are larger than the rounding error of a product in float. The high parts alone have the 11 bits of
// TF32, and their products take half of its time: that is what TF32 is computed with here.

/// The power of two that brings numbers of this largest magnitude to between 2¹⁴ and 2¹⁵. Beyond the range of
/// float it stays within; cannot_split tells these numbers.
inline __device__ float scale_to_half(unsigned largest) {
  return __uint_as_float((268u - max(largest >> 23, 15u)) << 23);
}
inline __device__ float scale_from_half(unsigned largest) {
  return __uint_as_float((max(largest >> 23, 15u) - 14u) << 23);
}

/// The parts of two numbers, side by side as the tensor cores take them.
struct TwoPartsOfTwo {
  std::uint32_t high, low;
};

inline __device__ TwoPartsOfTwo two_parts(float first, float second) {
  const __half2 high = __floats2half2_rn(first, second);
  const float2 taken = __half22float2(high);
  const __half2 low = __floats2half2_rn(first - taken.x, second - taken.y);
  return {*reinterpret_cast<const std::uint32_t*>(&high), *reinterpret_cast<const std::uint32_t*>(&low)};
}

/// A thread's share of a chunk of the left factor, of one or two parts.
template <int parts>
struct LeftParts {
  std::uint32_t high[chunk_steps][4], low[chunk_steps][4];  // low: of two parts

  /// Sets the two numbers of register `k` of a step.
  __device__ void set(int step, int k, float first, float second, float scale) {
    if constexpr (parts == 2) {
      const TwoPartsOfTwo both = two_parts(first * scale, second * scale);
      high[step][k] = both.high;
      low[step][k] = both.low;
    } else {
      const __half2 rounded = __floats2half2_rn(first * scale, second * scale);
      high[step][k] = *reinterpret_cast<const std::uint32_t*>(&rounded);
    }
  }
};

/// Starts sum ← left · right, with the right factor at this address of shared memory.
template <int n, int parts>
__device__ void start_chunk(const LeftParts<parts>& left, std::uint32_t right, float (&sum)[n / 2]) {
  const auto part = [&](int which, int step) {
    return matrix_descriptor<n>(right + which * part_bytes<n> + step * step_bytes<n>);
  };
  mma_begin();
  if constexpr (parts == 2) {
#pragma unroll
    for (int s = 0; s < chunk_steps; ++s) {
      mma<Half::float16>(sum, left.low[s], part(0, s), s > 0);
      mma<Half::float16>(sum, left.high[s], part(1, s), 1);
    }
  }
#pragma unroll
  for (int s = 0; s < chunk_steps; ++s)
    mma<Half::float16>(sum, left.high[s], part(0, s), parts == 2 || s > 0);
  mma_commit();
}

}  // namespace gdkm::cuda
