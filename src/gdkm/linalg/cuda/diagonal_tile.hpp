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

/// One warp factorises A = L Lᵀ for a tile in shared memory, of which it reads the lower triangle. It writes
/// Lᵀ and L⁻¹ row by row to global memory. `spare` is a second tile of shared memory. The first `count` rows
/// belong to the matrix, the rest is padding.
///
/// Lane r has row r of A in registers. The chain of dependent instructions is one shuffle, one root and two
/// products per step, because the lane of the next pivot can compute it without the others.
template <class U>
__device__ __noinline__ Pivots<U> factor_diagonal(const U* tile, U* spare, int count, U* l_transposed,
                                                  U* l_inverse) {
  Pivots<U> pivots;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  constexpr int stride = tile_stride<U>, length = vector_length<U>;
  constexpr unsigned everybody = 0xffffffffu;
  U a[tile_side], reciprocal{};  // row `lane`; 1/L_lane,lane
#pragma unroll
  for (int c = 0; c < tile_side; c += length) {
    const auto v = *reinterpret_cast<const Vector<U>*>(tile + lane * stride + c);
#pragma unroll
    for (int e = 0; e < length; ++e) a[c + e] = v.v[e];
  }
  U next = a[0];
#pragma unroll
  for (int j = 0; j < tile_side; ++j) {
    const U pivot = __shfl_sync(everybody, next, j);
    const U root = inverse_root(pivot);
    const U l = lane >= j ? a[j] * root : U(0);
    if (j + 1 < tile_side) next = plus_product(a[j + 1], -l, l);
    pivots.see(pivot);
    if (lane == j) reciprocal = root;
    a[j] = l;
#pragma unroll
    for (int c = j + 1; c < tile_side; ++c) a[c] = plus_product(a[c], -l, __shfl_sync(everybody, l, c));
  }
  if (lane < count) pivots.least = pivots.most = leading(reciprocal);
#pragma unroll
  for (int p = 0; p < tile_side; ++p) {
    spare[p * stride + lane] = a[p];
    l_transposed[p * tile_side + lane] = a[p];
  }
  __syncwarp();
  // Lane c solves L x = e_c, by columns of L.
#pragma unroll
  for (int r = 0; r < tile_side; ++r) a[r] = r == lane ? U(1) : U(0);
#pragma unroll
  for (int p = 0; p < tile_side; ++p) {
    a[p] = a[p] * __shfl_sync(everybody, reciprocal, p);
#pragma unroll
    for (int r = (p + 1) / length * length; r < tile_side; r += length) {
      const auto l = *reinterpret_cast<const Vector<U>*>(spare + p * stride + r);
#pragma unroll
      for (int e = 0; e < length; ++e) {
        if (r + e > p) a[r + e] = plus_product(a[r + e], -l.v[e], a[p]);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < tile_side; ++r) l_inverse[r * tile_side + lane] = a[r];
  return pivots;
}

/// The same for types so wide that 32 numbers do not fit into registers. It works in shared memory, which it
/// overwrites.
__device__ inline Pivots<DoubleDouble> factor_diagonal(DoubleDouble* tile, DoubleDouble* spare, int count,
                                                       DoubleDouble* l_transposed, DoubleDouble* l_inverse) {
  using U = DoubleDouble;
  Pivots<U> pivots;
  const int lane = static_cast<int>(threadIdx.x) % 32;
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
    l_transposed[j * tile_side + lane] = l;
    __syncwarp();
    for (int c = j + 1; c <= lane; ++c) row[c] = plus_product(row[c], -l, tile[c * stride + j]);
    __syncwarp();
  }
  if (lane < count) pivots.least = pivots.most = leading(reciprocal);
  row[lane] = reciprocal;  // in place of the diagonal of L, which is written
  __syncwarp();
  // Lane c solves L x = e_c.
  for (int r = 0; r < tile_side; ++r) {
    U sum(r == lane ? 1.0 : 0.0);
    for (int p = lane; p < r; ++p) sum = plus_product(sum, -tile[r * stride + p], spare[p * stride + lane]);
    sum = sum * tile[r * stride + r];
    spare[r * stride + lane] = sum;
    l_inverse[r * tile_side + lane] = sum;
  }
  return pivots;
}

}  // namespace gdkm::cuda
