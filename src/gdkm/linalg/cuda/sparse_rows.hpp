#pragma once

#include "gdkm/linalg/cuda/reduce.hpp"

/// C ← α A B + β C for a sparse A, in one launch. A warp handles one row of A and a chunk of columns. `lanes`
/// of its lanes cover the chunk, one pack each, so 32 / lanes rows of B are read at the same time, and
/// `depth` times as many reads are in flight. Blocks process all rows for one chunk before the next, so that
/// the part of B in use stays in the second-level cache. A row with many entries is split over the warps of
/// its block. The order of sums is fixed. B is stored as S: as T, or as float16 with a factor for every row.
namespace gdkm::cuda {

template <class T, class S = T>
struct SparseProduct {
  Index rows;
  const Index* row_start;
  const std::int32_t* col;
  const T* value;
  T alpha, beta;
  ConstView<S> b;
  const T* factor;  // of every row of B, where S is not T
  View<T> c;
  int chunk;       // columns; a multiple of the pack's width
  int rows_each;   // rows per block
  Index long_row;  // rows with at least this many entries are split
  bool streaming;  // C must not displace B in the cache
};

/// The largest number of rows per block.
inline constexpr int most_sparse_rows = 64;

/// Adds up entries [begin, end) of A, 32 of every 32·stride, for one lane's pack of columns.
template <int lanes, int width, int depth, class T, class S>
__device__ void add_entries(const SparseProduct<T, S>& p, Index begin, Index end, int stride, Index column,
                            T (&sum)[width]) {
  if (begin >= end) return;
  constexpr int side = 32 / lanes;  // rows of B that are read at the same time
  static_assert(32 % (side * depth) == 0);
  const int lane = static_cast<int>(threadIdx.x) % 32, slot = lane / lanes;
  const char* base = reinterpret_cast<const char*>(p.b.data + column);
  const auto row_bytes = static_cast<unsigned>(p.b.stride * static_cast<Index>(sizeof(S)));
  std::int32_t next_col;
  T next_value;
  // Beyond the end, read the last entry with weight 0, so that the code below needs no bounds checks.
  const auto fetch = [&](Index at) {
    const Index entry = at < end ? at : end - 1;
    next_col = __ldcs(p.col + entry);
    next_value = at < end ? __ldcs(p.value + entry) : T(0);
    if constexpr (!std::is_same_v<T, S>) next_value *= p.factor[next_col];
  };
  fetch(begin + lane);
  for (Index e = begin; e < end; e += 32 * stride) {
    const auto my_col = static_cast<unsigned>(next_col);
    const T my_value = next_value;
    const int count = end - e < 32 ? static_cast<int>(end - e) : 32;
    if (e + 32 * stride < end) fetch(e + 32 * stride + lane);
#pragma unroll 1
    for (int first = slot; first < count + slot; first += side * depth) {
      Pack<S, width> rows[depth];
#pragma unroll
      for (int d = 0; d < depth; ++d) {
        const std::uint64_t row = __shfl_sync(all_lanes, my_col, first + d * side);
        rows[d] = load<width>(reinterpret_cast<const S*>(base + row * row_bytes));
      }
#pragma unroll
      for (int d = 0; d < depth; ++d) {
        const T weight = __shfl_sync(all_lanes, my_value, first + d * side);
#pragma unroll
        for (int i = 0; i < width; ++i) sum[i] += weight * static_cast<T>(rows[d].v[i]);
      }
    }
  }
#pragma unroll
  for (int offset = lanes; offset < 32; offset *= 2) {
#pragma unroll
    for (int i = 0; i < width; ++i) sum[i] += __shfl_xor_sync(all_lanes, sum[i], offset);
  }
}

template <int width, class T, class S>
__device__ void write_entries(const SparseProduct<T, S>& p, Index r, Index column, const T (&sum)[width]) {
  constexpr int each = width < pack_width<T> ? width : pack_width<T>;  // of one access
#pragma unroll
  for (int first = 0; first < width; first += each) {
    T* to = p.c.row(r) + column + first;
    Pack<T, each> out;
#pragma unroll
    for (int i = 0; i < each; ++i) out.v[i] = p.alpha * sum[first + i];
    if (p.beta != T(0)) {
      const auto old = load<each>(to);
#pragma unroll
      for (int i = 0; i < each; ++i) out.v[i] += p.beta * old.v[i];
    }
    p.streaming ? store_streaming(to, out) : store(to, out);
  }
}

/// The number of blocks per multiprocessor, limited by the registers for rows of B in flight.
template <int lanes, int depth>
inline constexpr int sparse_blocks = depth > 4 ? 3 : (lanes == 16 ? 5 : 4);

/// Blocks of 256 threads: blockIdx.x selects the rows, blockIdx.y the chunk of columns. Columns are a
/// multiple of `width`.
template <int lanes, int width, int depth, class T, class S>
__global__ void __launch_bounds__(256, sparse_blocks<lanes, depth>)
    sparse_rows_kernel(SparseProduct<T, S> p) {
  cuda::await_previous();
  __shared__ int next, long_count, long_rows[most_sparse_rows];
  __shared__ T shared[8][lanes * width];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  // Lanes beyond the chunk read the same as its last lane, which costs nothing.
  const Index left = static_cast<Index>(blockIdx.y) * p.chunk, cols = p.c.cols - left;
  const int place = lane % lanes * width, last = (cols < p.chunk ? static_cast<int>(cols) : p.chunk) - width;
  const int within = place < last ? place : last;
  const Index column = left + within;
  const bool writes = place <= last && lane < lanes;
  const Index first = static_cast<Index>(blockIdx.x) * p.rows_each;
  if (threadIdx.x == 0) next = long_count = 0;
  __syncthreads();

  // A warp that has finished a row takes the next one, because some rows are ten times as long as others.
  for (;;) {
    int row = 0;
    if (lane == 0) row = atomicAdd(&next, 1);
    row = __shfl_sync(all_lanes, row, 0);
    const Index r = first + row;
    if (row >= p.rows_each || r >= p.rows) break;
    const Index begin = p.row_start[r], end = p.row_start[r + 1];
    if (end - begin >= p.long_row) {
      if (lane == 0) long_rows[atomicAdd(&long_count, 1)] = row;
      continue;
    }
    T sum[width] = {};
    add_entries<lanes, width, depth>(p, begin, end, 1, column, sum);
    if (writes) write_entries<width>(p, r, column, sum);
  }
  __syncthreads();

  for (int k = 0; k < long_count; ++k) {
    const Index r = first + long_rows[k], begin = p.row_start[r], end = p.row_start[r + 1];
    T sum[width] = {};
    add_entries<lanes, width, depth>(p, begin + 32 * warp, end, 8, column, sum);
    if (lane < lanes) {
#pragma unroll
      for (int i = 0; i < width; ++i) shared[warp][within + i] = sum[i];
    }
    __syncthreads();
    if (warp == 0 && writes) {
      for (int w = 1; w < 8; ++w) {
#pragma unroll
        for (int i = 0; i < width; ++i) sum[i] += shared[w][within + i];
      }
      write_entries<width>(p, r, column, sum);
    }
    __syncthreads();
  }
}

}  // namespace gdkm::cuda
