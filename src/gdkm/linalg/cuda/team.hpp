#pragma once

#include <cooperative_groups.h>

namespace gdkm::cuda {

/// The blocks that work on one problem and can synchronise: a cluster, which is fast, or a whole grid (a
/// cooperative launch), which may use the whole GPU.
enum class Team { cluster, grid };

/// The threads of a block that work on one tile.
inline constexpr int group_size = 64;

/// Waits for all threads of group `group` of this block.
__device__ inline void group_sync(int group) {
  asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(group_size) : "memory");
}

/// Waits for all threads of the team. Their earlier writes are visible afterwards.
template <Team team>
__device__ void team_sync() {
  if constexpr (team == Team::cluster) {
#if __CUDA_ARCH__ >= 900
    cooperative_groups::this_cluster().sync();
#endif
  } else {
    cooperative_groups::this_grid().sync();
  }
}

/// The two halves of a wait for a cluster: a thread has done what others wait for, and waits for them. Every
/// thread does both, in turn.
__device__ inline void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}
__device__ inline void cluster_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

}  // namespace gdkm::cuda
