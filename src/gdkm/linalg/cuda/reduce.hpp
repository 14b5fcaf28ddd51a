#pragma once

#include "gdkm/linalg/cuda/elements.hpp"

/// Sums over lanes, blocks and grids, in a fixed order.
namespace gdkm::cuda {

inline constexpr unsigned all_lanes = 0xffffffffu;

/// The sum over a group of `lanes` adjacent lanes; every lane receives it.
template <int lanes = 32, class T>
__device__ T lane_sum(T x) {
#pragma unroll
  for (int offset = lanes / 2; offset > 0; offset /= 2) x += __shfl_xor_sync(all_lanes, x, offset);
  return x;
}
template <int lanes = 32, class T>
__device__ T lane_max(T x) {
#pragma unroll
  for (int offset = lanes / 2; offset > 0; offset /= 2) {
    const T other = __shfl_xor_sync(all_lanes, x, offset);
    x = other > x ? other : x;
  }
  return x;
}

/// Calls body.operator()<width>(j) for this lane's packs of a row; the 32 lanes share the row.
template <int width, class Body>
__device__ void along_row(Index cols, const Body& body) {
  for (Index j = threadIdx.x % 32 * width; j < cols; j += 32 * width) {
    if constexpr (width > 1) {
      if (j + width > cols) {
        for (Index i = j; i < cols; ++i) body.template operator()<1>(i);
        return;
      }
    }
    body.template operator()<width>(j);
  }
}

/// The sums over a block of 256 threads; thread 0 receives them.
template <int count>
__device__ void block_sum(double (&sum)[count]) {
  __shared__ double shared[count][8];
  const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
#pragma unroll
  for (int q = 0; q < count; ++q) {
    sum[q] = lane_sum(sum[q]);
    if (thread % 32 == 0) shared[q][thread / 32] = sum[q];
  }
  __syncthreads();
  if (thread < 32) {
#pragma unroll
    for (int q = 0; q < count; ++q) sum[q] = lane_sum<8>(shared[q][thread % 8]);
  }
  __syncthreads();
}

/// The sums over a grid of blocks of 256 threads, in one launch: the block that finishes last adds up what
/// all blocks wrote to `partial` (count × blocks numbers). Returns true in the one thread that has the sums.
template <int count>
__device__ bool grid_sum(double (&sum)[count], double* partial, unsigned* counter) {
  __shared__ bool last;
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  block_sum(sum);
  if (gridDim.x == 1) return thread == 0;
  if (thread == 0) {
    for (int q = 0; q < count; ++q) partial[q * gridDim.x + blockIdx.x] = sum[q];
    __threadfence();
    last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;  // this also resets the counter to zero
  }
  __syncthreads();
  if (!last) return false;
  __threadfence();
  for (int q = 0; q < count; ++q) {
    sum[q] = 0;
    for (unsigned block = thread; block < gridDim.x; block += 256) {
      sum[q] += __ldcg(partial + q * gridDim.x + block);
    }
  }
  block_sum(sum);
  return thread == 0;
}

/// The largest number of blocks of a grid_sum.
inline constexpr unsigned most_sum_blocks = 528;

/// Adapts a body that adds to the sums of a thread.
template <class Body>
struct Adding {
  const Body& body;
  double (&sum)[Body::sums];
  template <int width>
  __device__ void at(Index r, Index j) const {
    body.template add<width>(r, j, sum);
  }
};

template <int width, class Body>
__global__ void __launch_bounds__(256) sum_kernel(Index rows, Index cols, unsigned col_blocks, unsigned tiles,
                                                  Body body, double* partial, unsigned* counter) {
  cuda::await_previous();
  double sum[Body::sums] = {};
  const Adding<Body> adding{body, sum};
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    at_tile<width>(adding, rows, cols, col_blocks, tile);
  }
  if (grid_sum(sum, partial, counter)) body.finish(sum);
}

/// Calls body.add<width>(r, j, sum) for every entry of a matrix, as for_each does, and body.finish with the
/// Body::sums totals. `partial` has room for Body::sums × most_sum_blocks numbers.
template <class T, class Body>
void sum_each(const Queue& stream, Index rows, Index cols, bool use_packs, const Body& body, double* partial,
              unsigned* counter) {
  const Tiling tiling(rows, cols, use_packs ? pack_width<T> : 1);
  const dim3 threads(tiling.across, tiling.down);
  const unsigned blocks = std::clamp(tiling.blocks, 1u, most_sum_blocks);
  if (use_packs) {
    launch(sum_kernel<pack_width<T>, Body>, blocks, threads, 0, stream, rows, cols, tiling.col_blocks,
           tiling.blocks, body, partial, counter);
  } else {
    launch(sum_kernel<1, Body>, blocks, threads, 0, stream, rows, cols, tiling.col_blocks, tiling.blocks,
           body, partial, counter);
  }
}

}  // namespace gdkm::cuda
