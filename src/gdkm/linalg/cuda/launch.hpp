#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "gdkm/linalg/cuda/check.hpp"
#include "gdkm/linalg/matrix.hpp"

namespace gdkm::cuda {

/// The stream that work goes to.
struct Queue {
  cudaStream_t stream = nullptr;
  bool overlaps = false;  // whether a kernel may be started before the one ahead of it has ended
  operator cudaStream_t() const { return stream; }
};

/// Waits until the kernels ahead have ended and what they wrote can be read, and lets the one behind start.
/// Every kernel that launch() starts calls it first: where the queue overlaps, blocks are set up while the
/// kernel ahead still runs. In a step with a hundred small kernels this saves a large part of the time.
inline __device__ void await_previous() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

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

/// Launches a kernel, which must call await_previous() first, and checks for errors. Does nothing if there
/// are no blocks. `cluster` blocks along z form a cluster.
template <class... Parameters, class... Arguments>
void launch_clusters(void (*kernel)(Parameters...), unsigned cluster, dim3 blocks, dim3 threads,
                     std::size_t shared_bytes, const Queue& queue, const Arguments&... arguments) {
  if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0) return;
  cudaLaunchAttribute attributes[2]{};
  unsigned count = 0;
  if (queue.overlaps) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count].val.clusterDim.x = attributes[count].val.clusterDim.y = 1;
    attributes[count++].val.clusterDim.z = cluster;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = queue.stream;
  config.attrs = attributes;
  config.numAttrs = count;
  GDKM_CUDA(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t shared_bytes,
            const Queue& queue, const Arguments&... arguments) {
  launch_clusters(kernel, 1, blocks, threads, shared_bytes, queue, arguments...);
}

}  // namespace gdkm::cuda
