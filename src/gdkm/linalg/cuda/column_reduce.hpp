#pragma once

#include "gdkm/linalg/cuda/reduce.hpp"

namespace gdkm::cuda {

/// Sums over the rows of a matrix, Body::sums of them for each column, in double precision and in one launch.
/// A warp handles 32 packs of columns, and the eight warps of a block share its rows in turn. Blocks over the
/// same columns write their sums to `partial`, and the block that finishes last adds them up from top to
/// bottom.
template <int width, class Body>
__global__ void __launch_bounds__(256) column_reduce_kernel(Index rows, Index cols, Index rows_each,
                                                            Body body, double* partial, unsigned* counters) {
  cuda::await_previous();
  constexpr int warps = 8, sums = Body::sums, across = 32 * width, parts = 256 / across;
  __shared__ double shared[sums][warps][across];
  __shared__ bool last;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const Index first = static_cast<Index>(blockIdx.x) * across, j = first + lane * width;
  const Index begin = static_cast<Index>(blockIdx.y) * rows_each,
              end = begin + rows_each < rows ? begin + rows_each : rows;

  double sum[sums][width] = {};
  if (j + width <= cols) {
#pragma unroll 4
    for (Index r = begin + warp; r < end; r += warps) body.template add<width>(r, j, sum);
  } else if (j < cols) {
    for (Index r = begin + warp; r < end; r += warps) {
#pragma unroll
      for (int i = 0; i < width; ++i) {
        if (j + i >= cols) break;
        double one[sums][1] = {};
        body.template add<1>(r, j + i, one);
        for (int q = 0; q < sums; ++q) sum[q][i] += one[q][0];
      }
    }
  }
  for (int q = 0; q < sums; ++q) {
    for (int i = 0; i < width; ++i) shared[q][warp][lane * width + i] = sum[q][i];
  }
  __syncthreads();

  const int column = static_cast<int>(threadIdx.x) % across, part = static_cast<int>(threadIdx.x) / across;
  double total[sums] = {};
  const bool mine = part == 0 && first + column < cols;
  if (mine) {
    for (int q = 0; q < sums; ++q) {
      for (int w = 0; w < warps; ++w) total[q] += shared[q][w][column];
    }
  }
  if (gridDim.y > 1) {
    if (mine) {
      for (int q = 0; q < sums; ++q) partial[(blockIdx.y * sums + q) * cols + first + column] = total[q];
      __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(counters + blockIdx.x, gridDim.y - 1) == gridDim.y - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    for (int q = 0; q < sums; ++q) {
      double some = 0;
      if (first + column < cols) {
#pragma unroll 4
        for (unsigned y = static_cast<unsigned>(part); y < gridDim.y; y += parts) {
          some += __ldcg(partial + (static_cast<Index>(y) * sums + q) * cols + first + column);
        }
      }
      shared[q][part][column] = some;
    }
    __syncthreads();
    if (mine) {
      for (int q = 0; q < sums; ++q) {
        total[q] = 0;
        for (int k = 0; k < parts; ++k) total[q] += shared[q][k][column];
      }
    }
  }
  if (mine) body.finish(first + column, total);
}

/// How column_reduce splits a matrix into blocks of rows.
struct ColumnBlocks {
  Index rows_each = 1;
  unsigned across = 0, down = 1;
  ColumnBlocks(Index rows, Index cols, int width, int multiprocessors) {
    across = blocks_for(cols, 32 * width);
    const Index most = std::max<Index>(1, 4 * multiprocessors / std::max(1u, across));
    rows_each = std::max<Index>(32, (rows + most - 1) / most);
    down = std::max(1u, blocks_for(rows, rows_each));
  }
};

/// Calls body.add<width>(r, j, sum) for every entry, sum[q][i] being that of column j + i, and then
/// body.finish(j, totals) for every column. `make_partial(count)` gives memory for so many numbers, and there
/// are `counter_count` counters.
template <class T, class Body, class MakePartial>
void column_reduce(const Queue& stream, int multiprocessors, Index rows, Index cols, bool use_packs,
                   const Body& body, MakePartial make_partial, unsigned* counters, Index counter_count) {
  const ColumnBlocks blocks(rows, cols, use_packs ? pack_width<T> : 1, multiprocessors);
  if (static_cast<Index>(blocks.across) > counter_count) {
    throw std::runtime_error("[column_reduce] too many columns: " + std::to_string(cols));
  }
  double* partial = make_partial(blocks.down * Body::sums * cols);
  const dim3 grid(blocks.across, blocks.down);
  if (use_packs) {
    launch(column_reduce_kernel<pack_width<T>, Body>, grid, 256, 0, stream, rows, cols, blocks.rows_each,
           body, partial, counters);
  } else {
    launch(column_reduce_kernel<1, Body>, grid, 256, 0, stream, rows, cols, blocks.rows_each, body, partial,
           counters);
  }
}

}  // namespace gdkm::cuda
