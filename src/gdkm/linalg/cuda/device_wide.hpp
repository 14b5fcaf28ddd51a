#pragma once

#include <mutex>

namespace gdkm::cuda {

/// Held by operations that wait for the whole device (creating and destroying handles, pinned memory) and
/// during a recording, because such a wait in one thread would break the recording of another.
inline std::mutex& device_wide() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace gdkm::cuda
