#pragma once

#include "gdkm/linalg/cuda/split/wgmma.hpp"
#include "gdkm/linalg/matrix.hpp"

namespace gdkm::cuda {

// Products are added up in chunks of 32 terms. The tensor cores cut off digits instead of rounding, and do so
// at every step: a chunk starts from zero with the smallest of its products, and is then added to the total
// in float, rounded to nearest. So the total has no bias that grows with its length.

inline constexpr int chunk_depth = 32, chunk_steps = chunk_depth / mma_depth;

/// A chunk of the right factor in shared memory: its parts of two steps, each as matrix_descriptor expects.
template <int n>
inline constexpr int step_bytes = mma_depth* n * 2;
template <int n>
inline constexpr int part_bytes = chunk_steps* step_bytes<n>;

/// Entry (k, column) of the right factor.
struct RightSource {
  const float* data;
  Index k_stride, column_stride, columns;
  __device__ float operator()(Index k, Index column) const {
    return column < columns ? data[k * k_stride + column * column_stride] : 0.0f;
  }
};

/// Four entries of the product in plain float arithmetic, for numbers that cannot be split: two rows and two
/// adjacent columns. `upper`, `lower`: the entries of the left factor in these rows, k_stride apart, or null
/// beyond the last.
inline __device__ float4 plain_sums(const float* upper, const float* lower, Index k_stride,
                                    const RightSource& right, Index column, Index begin, Index end) {
  float4 sum{0, 0, 0, 0};
#pragma unroll 1
  for (Index k = begin; k < end; ++k) {
    const float x = upper == nullptr ? 0.0f : upper[k * k_stride];
    const float y = lower == nullptr ? 0.0f : lower[k * k_stride];
    const float b = right(k, column), d = right(k, column + 1);
    sum = {fmaf(x, b, sum.x), fmaf(x, d, sum.y), fmaf(y, b, sum.z), fmaf(y, d, sum.w)};
  }
  return sum;
}

/// Where a thread is in a group of 128: its warp, its first row and its first column of every eight.
struct MmaThread {
  int warp, row, pair;
  __device__ explicit MmaThread(unsigned id)
      : warp(static_cast<int>(id % 128 / 32)),
        row(16 * warp + static_cast<int>(id % 32 / 4)),
        pair(static_cast<int>(id % 4)) {}
};

}  // namespace gdkm::cuda
