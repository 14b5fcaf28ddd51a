#pragma once

#include <cstdint>

namespace gdkm::cuda {

// Hopper's barriers in shared memory (PTX: mbarrier).

inline __device__ std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

inline __device__ void barrier_start(std::uint64_t* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals)
               : "memory");
}
inline __device__ void barrier_arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
/// Arrives; the barrier then also waits for this many bytes of copies.
inline __device__ void barrier_arrive_and_expect(std::uint64_t* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
}
/// Waits until the phase of this parity is complete.
inline __device__ void barrier_wait(std::uint64_t* barrier, unsigned parity) {
  std::uint32_t done = 0;
  while (done == 0) {
    asm volatile(
        "{\n.reg .pred done;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
        "selp.u32 %0, 1, 0, done;\n}"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
  }
}

/// Starts a copy of contiguous bytes (a multiple of 16) to shared memory, which the barrier waits for.
inline __device__ void copy_bytes(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

/// What this thread wrote to shared memory is visible to tensor cores, when others have waited for it.
inline __device__ void publish_to_tensor_cores() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// What a thread did to start barriers is visible to others, when they have waited for it.
inline __device__ void barrier_publish() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  publish_to_tensor_cores();
}

}  // namespace gdkm::cuda
