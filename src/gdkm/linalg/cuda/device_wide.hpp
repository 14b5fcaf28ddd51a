#pragma once

#include <mutex>

namespace gdkm::cuda {

/// Held by whatever waits for the whole device (creating and destroying handles, pinned memory), and by who
/// records: such a wait in one thread would spoil the recording of another.
inline std::mutex& device_wide() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace gdkm::cuda
