#pragma once

#include "gdkm/linalg/cuda/split/barrier.hpp"

namespace gdkm::cuda {

// A ring of buffers that producers fill and consumers empty.

/// A place in a ring of `stages` buffers. Producers wait for `empty`, consumers for `full`.
template <int stages>
struct RingPlace {
  int stage = 0;
  unsigned parity = 0;
  __device__ void advance() {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

template <int stages>
struct Ring {
  std::uint64_t full[stages], empty[stages];

  /// One thread of the block calls it; then all wait for each other.
  __device__ void start(unsigned producers, unsigned consumers) {
    for (int s = 0; s < stages; ++s) {
      barrier_start(&full[s], producers);
      barrier_start(&empty[s], consumers);
    }
    barrier_publish();
  }
  __device__ void wait_for_room(const RingPlace<stages>& at) {
    barrier_wait(&empty[at.stage], at.parity ^ 1);
  }
  __device__ void wait_for_data(const RingPlace<stages>& at) { barrier_wait(&full[at.stage], at.parity); }
};

}  // namespace gdkm::cuda
