#pragma once

#include <limits>

#include "gdkm/linalg/cuda/tile.hpp"

namespace gdkm::cuda {

/// What a lane knows about the diagonal tiles that its warp factorised: whether all pivots were positive and
/// finite, and the range of 1/L_rr over its own rows r.
template <class U>
struct Pivots {
  bool good = true;
  Leading<U> least = std::numeric_limits<Leading<U>>::max(), most = 0;

  __device__ void see(U pivot) {
    const Leading<U> p = leading(pivot);
    good = good && p > 0 && p <= std::numeric_limits<Leading<U>>::max();
  }
  __device__ void add(const Pivots& other) {
    good = good && other.good;
    if (other.least < least) least = other.least;
    if (other.most > most) most = other.most;
  }
  /// Whether every diagonal entry of L is at least `part` times the largest; for the whole warp.
  __device__ bool spread(Leading<U> part) const {
    Leading<U> low = least, high = most;
    for (int step = 16; step > 0; step /= 2) {
      const Leading<U> other_low = __shfl_xor_sync(0xffffffffu, low, step);
      const Leading<U> other_high = __shfl_xor_sync(0xffffffffu, high, step);
      if (other_low < low) low = other_low;
      if (other_high > high) high = other_high;
    }
    return low > part * high;
  }
};

/// A group factorises A = L Lᵀ for a tile in shared memory, of which it reads the lower triangle. L takes the
/// place of A, with zeros above the diagonal, and L⁻¹ goes to `inverse`, a second tile. The first `count`
/// rows belong to the matrix, the rest is padding. The first warp returns what it knows about the pivots. The
/// caller synchronises the group.
///
/// It proceeds by blocks of eight columns, in a loop: as one long piece of code it would take twice as long,
/// because every instruction would have to be fetched. Lane r of the first warp has row r of the block in
/// registers. The chain of dependent instructions is one shuffle, one root and two products per column,
/// because the lane of the next pivot can compute it without the others. The second warp follows: its lane c
/// solves L x = e_c with the columns of L that are there.
template <class U>
__device__ __noinline__ Pivots<U> factor_diagonal(U* tile, U* inverse, int count, int thread, int group) {
  constexpr int stride = tile_stride<U>, length = vector_length<U>, block = 8;
  constexpr unsigned everybody = 0xffffffffu;
  Pivots<U> pivots;
  const int lane = thread % 32;
  const bool first = thread < 32;
  U* const reciprocals = tile + tile_side;  // 1/L_rr, in the padding of row r
  const auto read_block = [](const U* from, U(&to)[block]) {
#pragma unroll
    for (int c = 0; c < block; c += length) {
      const auto v = *reinterpret_cast<const Vector<U>*>(from + c);
#pragma unroll
      for (int e = 0; e < length; ++e) to[c + e] = v.v[e];
    }
  };
  U reciprocal{};  // 1/L_lane,lane
  if (!first) {
#pragma unroll 8
    for (int r = 0; r < tile_side; ++r) inverse[r * stride + lane] = r == lane ? U(1) : U(0);
  }
#pragma unroll 1
  for (int begin = 0; begin < tile_side; begin += block) {
    U mine[block];  // of L: a row's block; of L⁻¹: a column's
    if (first) {
      read_block(tile + lane * stride + begin, mine);
      U next = mine[0];
#pragma unroll
      for (int j = 0; j < block; ++j) {
        const U pivot = __shfl_sync(everybody, next, begin + j);
        const U root = inverse_root(pivot);
        const U l = lane >= begin + j ? mine[j] * root : U(0);
        if (j + 1 < block) next = plus_product(mine[j + 1], -l, l);
        pivots.see(pivot);
        if (lane == begin + j) reciprocal = root;
        mine[j] = l;
#pragma unroll
        for (int c = j + 1; c < block; ++c)
          mine[c] = plus_product(mine[c], -l, __shfl_sync(everybody, l, begin + c));
      }
#pragma unroll
      for (int c = 0; c < block; ++c) tile[lane * stride + begin + c] = mine[c];
      if (lane / block == begin / block) reciprocals[lane * stride] = reciprocal;
    }
    group_sync(group);
    if (!first) {
      U scale[block];
#pragma unroll
      for (int i = 0; i < block; ++i) {
        mine[i] = inverse[(begin + i) * stride + lane];
        scale[i] = reciprocals[(begin + i) * stride];
      }
#pragma unroll
      for (int i = 0; i < block; ++i) {
        U row[block];
        read_block(tile + (begin + i) * stride + begin, row);
#pragma unroll
        for (int p = 0; p < i; ++p) mine[i] = plus_product(mine[i], -row[p], mine[p]);
        mine[i] = mine[i] * scale[i];
      }
#pragma unroll
      for (int i = 0; i < block; ++i) inverse[(begin + i) * stride + lane] = mine[i];
    }
    // The rest of row `lane` of A, and of column `lane` of L⁻¹, minus products with the block.
    U* const rest = first ? tile + lane * stride : inverse + lane;
    const int step = first ? 1 : stride;
#pragma unroll 1
    for (int c = begin + block; c < tile_side; c += block) {
      U sum[block];
#pragma unroll
      for (int i = 0; i < block; ++i) sum[i] = rest[(c + i) * step];
#pragma unroll
      for (int i = 0; i < block; ++i) {
        U other[block];
        read_block(tile + (c + i) * stride + begin, other);
#pragma unroll
        for (int p = 0; p < block; ++p) sum[i] = plus_product(sum[i], -mine[p], other[p]);
      }
#pragma unroll
      for (int i = 0; i < block; ++i) rest[(c + i) * step] = sum[i];
    }
  }
  if (lane < count) pivots.least = pivots.most = leading(reciprocal);
  return pivots;
}

/// The same for a type so wide that blocks do not fit into registers. One warp works in shared memory.
__device__ inline Pivots<DoubleDouble> factor_diagonal(DoubleDouble* tile, DoubleDouble* inverse, int count,
                                                       int thread, int /*group*/) {
  using U = DoubleDouble;
  Pivots<U> pivots;
  const int lane = thread % 32;
  if (thread >= 32) return pivots;
  constexpr int stride = tile_stride<U>;
  U* row = tile + lane * stride;
  U reciprocal(0);
  for (int j = 0; j < tile_side; ++j) {
    const U pivot = tile[j * stride + j], root = inverse_root(pivot);
    const U l = lane >= j ? row[j] * root : U(0);
    pivots.see(pivot);
    if (lane == j) reciprocal = root;
    __syncwarp();
    row[j] = l;
    __syncwarp();
    for (int c = j + 1; c <= lane; ++c) row[c] = plus_product(row[c], -l, tile[c * stride + j]);
    __syncwarp();
  }
  if (lane < count) pivots.least = pivots.most = leading(reciprocal);
  row[tile_side] = reciprocal;  // in the padding
  __syncwarp();
  // Lane c solves L x = e_c.
  for (int r = 0; r < tile_side; ++r) {
    U sum(r == lane ? 1.0 : 0.0);
    for (int p = lane; p < r; ++p) sum = plus_product(sum, -tile[r * stride + p], inverse[p * stride + lane]);
    inverse[r * stride + lane] = sum * tile[r * stride + tile_side];
  }
  return pivots;
}

}  // namespace gdkm::cuda
