#pragma once

#include <type_traits>

#include "gdkm/linalg/cuda/launch.hpp"

/// Elementwise work on a matrix with one thread per entry or, if the rows allow it, per pack of 16 bytes.
namespace gdkm::cuda {

/// Adjacent entries of a row that are read and written in one access.
template <class T, int width>
struct alignas(sizeof(T) * width) Pack {
  T v[width];
};

template <class T>
inline constexpr int pack_width = 16 / static_cast<int>(sizeof(T));

template <int width, class T>
__device__ Pack<std::remove_const_t<T>, width> load(T* from) {
  return *reinterpret_cast<const Pack<std::remove_const_t<T>, width>*>(from);
}
template <class T, int width>
__device__ void store(T* to, const Pack<T, width>& pack) {
  *reinterpret_cast<Pack<T, width>*>(to) = pack;
}
/// The same for data that is not read again soon: it is evicted from the cache first.
template <class T, int width>
__device__ void store_streaming(T* to, const Pack<T, width>& pack) {
  if constexpr (sizeof(pack) == 16) {
    __stcs(reinterpret_cast<int4*>(to), *reinterpret_cast<const int4*>(&pack));
  } else {
    for (int i = 0; i < width; ++i) __stcs(to + i, pack.v[i]);
  }
}

/// Whether all of these matrices can be accessed in packs of 16 bytes. The last pack of a row may be partial.
template <class... T>
bool packed(const View<T>&... a) {
  return ((reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0 &&
           (a.rows <= 1 || a.stride * static_cast<Index>(sizeof(T)) % 16 == 0)) &&
          ...);
}

/// Treats each matrix as one long row if none has gaps between rows, so that narrow ones keep all threads
/// busy.
template <class... T>
void flatten(View<T>&... a) {
  if ((a.contiguous() && ...)) ((a = View<T>(a.data, 1, a.size())), ...);
}

/// How a block of 256 threads covers a matrix: `across` threads along a row, and 256 / across rows.
struct Tiling {
  unsigned across = 1, down = 256, col_blocks = 0, blocks = 0;
  Tiling(Index rows, Index cols, int width) {
    const Index packs = (cols + width - 1) / width;
    while (across < 256 && across < packs) across *= 2;
    down = 256 / across;
    col_blocks = blocks_for(packs, across);
    blocks = rows == 0 ? 0 : blocks_for(rows, down) * col_blocks;
    assert(rows == 0 || blocks_for(rows, down) <= 2147483647 / std::max(1u, col_blocks));
  }
};

/// Calls body.at<width>(r, j) for one pack of a block's tile, or body.at<1> for the rest of a row.
template <int width, class Body>
__device__ void at_tile(const Body& body, Index rows, Index cols, unsigned col_blocks, unsigned tile) {
  const Index r = static_cast<Index>(tile / col_blocks) * blockDim.y + threadIdx.y;
  const Index j = (static_cast<Index>(tile % col_blocks) * blockDim.x + threadIdx.x) * width;
  if (r >= rows || j >= cols) return;
  if constexpr (width > 1) {
    if (j + width > cols) {
      for (Index i = j; i < cols; ++i) body.template at<1>(r, i);
      return;
    }
  }
  body.template at<width>(r, j);
}

template <int width, class Body>
__global__ void __launch_bounds__(256)
    for_each_kernel(Index rows, Index cols, unsigned col_blocks, Body body) {
  cuda::await_previous();
  at_tile<width>(body, rows, cols, col_blocks, blockIdx.x);
}

/// `use_packs` is the result of packed() for all matrices that the body accesses.
template <class T, class Body>
void for_each(const Queue& stream, Index rows, Index cols, bool use_packs, const Body& body) {
  const int width = use_packs ? pack_width<T> : 1;
  const Tiling tiling(rows, cols, width);
  const dim3 threads(tiling.across, tiling.down);
  if (use_packs) {
    launch(for_each_kernel<pack_width<T>, Body>, tiling.blocks, threads, 0, stream, rows, cols,
           tiling.col_blocks, body);
  } else {
    launch(for_each_kernel<1, Body>, tiling.blocks, threads, 0, stream, rows, cols, tiling.col_blocks, body);
  }
}

}  // namespace gdkm::cuda
