#pragma once

#include "gdkm/linalg/cuda/tile.hpp"
#include "gdkm/linalg/matrix.hpp"

namespace gdkm::cuda {

/// The tiles of F Fᵀ on and below the diagonal, with products and sums in U, which has twice the digits of T.
/// One block per tile. Its groups share the terms in turn, and their sums are added in a fixed order.
template <class T, class U>
__global__ void __launch_bounds__(group_size* groups_per_block<U>) wide_gram(ConstView<T> f, View<U> g) {
  cuda::await_previous();
  extern __shared__ __align__(16) unsigned char memory[];
  const int i = static_cast<int>(blockIdx.x), j = static_cast<int>(blockIdx.y);
  if (j > i) return;
  const Member member(static_cast<int>(threadIdx.x));
  const int group = static_cast<int>(threadIdx.x) / group_size;
  U* first = reinterpret_cast<U*>(memory) + group * 2 * shared_tile_size<U>;
  U* second = first + shared_tile_size<U>;
  Entries<U> sum{};
  for (Index begin = Index(group) * tile_side; begin < f.cols; begin += tile_side * groups_per_block<U>) {
    for (int e = member.id; e < tile_size; e += group_size) {
      const int r = e / tile_side, c = e % tile_side;
      const Index left = Index(i) * tile_side + r, right = Index(j) * tile_side + r;
      const bool inside = begin + c < f.cols;
      first[r * tile_stride<U> + c] = inside && left < f.rows ? U(f.row(left)[begin + c]) : U(0);
      second[r * tile_stride<U> + c] = inside && right < f.rows ? U(f.row(right)[begin + c]) : U(0);
    }
    group_sync(group);
    add_product(first, second, member, sum);
    group_sync(group);
  }
  keep(sum, first, member);
  __syncthreads();
  if (group != 0) return;
  for (int other = 1; other < groups_per_block<U>; ++other) {
    const Entries<U> more = recall(first + other * 2 * shared_tile_size<U>, member);
#pragma unroll
    for (int e = 0; e < 16; ++e) sum.v[e / 4][e % 4] = sum.v[e / 4][e % 4] + more.v[e / 4][e % 4];
  }
#pragma unroll
  for (int q = 0; q < 4; ++q) {
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      const Index r = Index(i) * tile_side + member.down + 8 * q,
                  c = Index(j) * tile_side + member.across + 8 * s;
      if (r < g.rows && c < g.cols) g.row(r)[c] = sum.v[q][s];
    }
  }
}

}  // namespace gdkm::cuda
