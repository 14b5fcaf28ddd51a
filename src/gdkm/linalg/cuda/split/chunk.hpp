#pragma once

#include "gdkm/linalg/cuda/split/parts.hpp"
#include "gdkm/linalg/cuda/split/wgmma.hpp"
#include "gdkm/linalg/matrix.hpp"

namespace gdkm::cuda {

// Products are added up in chunks of 32 terms. The tensor cores cut off digits instead of rounding, and do so
// at every step: a chunk starts from zero with the smallest of its six products, and is then added to the
// total in float, rounded to nearest. So the total has no bias that grows with its length.

inline constexpr int chunk_depth = 32, chunk_steps = chunk_depth / mma_depth;

/// A chunk of the right factor in shared memory: three parts of two steps, each as matrix_descriptor expects.
template <int n>
inline constexpr int step_bytes = mma_depth * n * 2;
template <int n>
inline constexpr int part_bytes = chunk_steps* step_bytes<n>;
template <int n>
inline constexpr int chunk_bytes = 3 * part_bytes<n>;

/// A thread's share of a chunk of the left factor.
struct LeftParts {
  std::uint32_t high[chunk_steps][4], middle[chunk_steps][4], low[chunk_steps][4];

  /// Sets the two numbers of register `k` of a step.
  __device__ void set(int step, int k, float first, float second) {
    const PartsOfTwo parts = split(first, second);
    high[step][k] = parts.high;
    middle[step][k] = parts.middle;
    low[step][k] = parts.low;
  }
};

/// total += left · right, with the right factor at this address of shared memory.
template <int n>
__device__ void add_chunk(const LeftParts& left, std::uint32_t right, float (&total)[n / 2]) {
  std::uint64_t high[chunk_steps], middle[chunk_steps], low[chunk_steps];
#pragma unroll
  for (int s = 0; s < chunk_steps; ++s) {
    high[s] = matrix_descriptor<n>(right + s * step_bytes<n>);
    middle[s] = matrix_descriptor<n>(right + part_bytes<n> + s * step_bytes<n>);
    low[s] = matrix_descriptor<n>(right + 2 * part_bytes<n> + s * step_bytes<n>);
  }
  float sum[n / 2];
  mma_begin();
#pragma unroll
  for (int s = 0; s < chunk_steps; ++s) {
    mma(sum, left.low[s], high[s], s > 0);
    mma(sum, left.middle[s], middle[s], 1);
    mma(sum, left.high[s], low[s], 1);
  }
#pragma unroll
  for (int s = 0; s < chunk_steps; ++s) {
    mma(sum, left.middle[s], high[s], 1);
    mma(sum, left.high[s], middle[s], 1);
  }
#pragma unroll
  for (int s = 0; s < chunk_steps; ++s) mma(sum, left.high[s], high[s], 1);
  mma_finish();
#pragma unroll
  for (int i = 0; i < n / 2; ++i) total[i] += sum[i];
}

/// Entry (k, column) of the right factor.
struct RightSource {
  const float* data;
  Index k_stride, column_stride, columns;
  __device__ float operator()(Index k, Index column) const {
    return column < columns ? data[k * k_stride + column * column_stride] : 0.0f;
  }
};

/// The same sums in plain float arithmetic, for numbers that cannot be split. `upper`, `lower`: the entries of the
/// left factor in the thread's two rows, k_stride apart, or null beyond the last row.
template <int n>
__device__ void plain_sums(const float* upper, const float* lower, Index k_stride,
                                        const RightSource& right, Index first_column, Index begin, Index end,
                                        float (&total)[n / 2]) {
#pragma unroll
  for (float& entry : total) entry = 0;
#pragma unroll 1
  for (Index k = begin; k < end; ++k) {
    const float x = upper == nullptr ? 0.0f : upper[k * k_stride];
    const float y = lower == nullptr ? 0.0f : lower[k * k_stride];
#pragma unroll
    for (int j = 0; j < n / 8; ++j) {
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const float b = right(k, first_column + 8 * j + e);
        total[4 * j + e] = fmaf(x, b, total[4 * j + e]);
        total[4 * j + 2 + e] = fmaf(y, b, total[4 * j + 2 + e]);
      }
    }
  }
}

/// Where a thread is in a group of 128: its warp, its first row and its first column of every eight.
struct MmaThread {
  int warp, row, pair;
  __device__ explicit MmaThread(unsigned id)
      : warp(static_cast<int>(id % 128 / 32)), row(16 * warp + static_cast<int>(id % 32 / 4)), pair(static_cast<int>(id % 4)) {}
};

/// The largest magnitude among the four threads that share a row.
inline __device__ unsigned largest_of_row(unsigned largest) {
  largest = max(largest, __shfl_xor_sync(0xffffffffu, largest, 1));
  return max(largest, __shfl_xor_sync(0xffffffffu, largest, 2));
}

}  // namespace gdkm::cuda
