#pragma once

#include <cuda_bf16.h>

#include <cstdint>

#include "gdkm/linalg/cuda/split/chunk.hpp"

namespace gdkm::cuda {

// A float is the sum of three bfloat16: each takes the next eight of its 24 bits. bfloat16 has the exponents
// of float, so that no number has to be scaled. Of the nine products of parts, six are larger than the
// rounding error of a product in float.

/// The parts of two numbers, side by side as the tensor cores take them.
struct ThreePartsOfTwo {
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

inline __device__ ThreePartsOfTwo three_parts(float first, float second) {
  ThreePartsOfTwo out;
  out.high = rounded_pair(first, second);
  subtract_pair(out.high, first, second);
  out.middle = rounded_pair(first, second);
  subtract_pair(out.middle, first, second);
  out.low = rounded_pair(first, second);
  return out;
}

template <int n>
inline constexpr int three_parts_bytes = 3 * part_bytes<n>;

/// A thread's share of a chunk of the left factor.
struct ThreeLeftParts {
  std::uint32_t high[chunk_steps][4], middle[chunk_steps][4], low[chunk_steps][4];

  /// Sets the two numbers of register `k` of a step.
  __device__ void set(int step, int k, float first, float second) {
    const ThreePartsOfTwo parts = three_parts(first, second);
    high[step][k] = parts.high;
    middle[step][k] = parts.middle;
    low[step][k] = parts.low;
  }
};

/// Starts sum ← left · right, with the right factor at this address of shared memory.
template <int n>
__device__ void start_chunk(const ThreeLeftParts& left, std::uint32_t right, float (&sum)[n / 2]) {
  const auto part = [&](int which, int step) {
    return matrix_descriptor<n>(right + which * part_bytes<n> + step * step_bytes<n>);
  };
  mma_begin();
#pragma unroll
  for (int s = 0; s < chunk_steps; ++s) {
    mma<Half::bfloat16>(sum, left.low[s], part(0, s), s > 0);
    mma<Half::bfloat16>(sum, left.middle[s], part(1, s), 1);
    mma<Half::bfloat16>(sum, left.high[s], part(2, s), 1);
  }
#pragma unroll
  for (int s = 0; s < chunk_steps; ++s) {
    mma<Half::bfloat16>(sum, left.middle[s], part(0, s), 1);
    mma<Half::bfloat16>(sum, left.high[s], part(1, s), 1);
  }
#pragma unroll
  for (int s = 0; s < chunk_steps; ++s) mma<Half::bfloat16>(sum, left.high[s], part(0, s), 1);
  mma_commit();
}

}  // namespace gdkm::cuda
