#pragma once

#include <array>

namespace gdkm {

/// Which GPU it is, wherever one looks from.
struct GpuIdentity {
  std::array<char, 16> uuid{};
  std::array<char, 16> slot{};  // on the machine's bus, as text

  bool operator==(const GpuIdentity&) const = default;
};

/// A GPU and where the work of a backend goes, for libraries that add work of their own.
struct GpuQueue {
  int device = 0;          // as this process numbers GPUs
  void* stream = nullptr;  // a cudaStream_t
  GpuIdentity identity = {};
};

}  // namespace gdkm
