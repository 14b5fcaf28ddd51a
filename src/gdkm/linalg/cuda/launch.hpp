#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "gdkm/linalg/cuda/check.hpp"
#include "gdkm/linalg/matrix.hpp"

namespace gdkm::cuda {

/// The number of blocks for `count` items, `each` per block.
inline unsigned blocks_for(Index count, Index each) {
  const Index blocks = (count + each - 1) / each;
  assert(blocks <= 2147483647);
  return static_cast<unsigned>(blocks);
}

/// The same, but at most `most`, for kernels that loop over their work.
inline unsigned blocks_for(Index count, Index each, Index most) {
  return static_cast<unsigned>(std::min((count + each - 1) / each, most));
}

/// Whether start, stride and length of the rows allow access to `width` numbers at a time.
template <class T>
bool vectorised(View<T> a, Index width) {
  const auto bytes = static_cast<std::uintptr_t>(width) * sizeof(T);
  return reinterpret_cast<std::uintptr_t>(a.data) % bytes == 0 && a.cols % width == 0 &&
         (a.rows <= 1 || a.stride % width == 0);
}

/// Launches a kernel and checks for errors. Does nothing if there are no blocks.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t shared_bytes,
            cudaStream_t stream, const Arguments&... arguments) {
  if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0) return;
  kernel<<<blocks, threads, shared_bytes, stream>>>(static_cast<Parameters>(arguments)...);
  GDKM_CUDA(cudaGetLastError());
}

}  // namespace gdkm::cuda
