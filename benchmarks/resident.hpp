#pragma once

#include <cstddef>
#include <fstream>
#include <string>

namespace gdkm::bench {

/// A number that the kernel (Linux) keeps about this process, in bytes; 0 where there is none. VmRSS is the
/// memory that is resident now, VmHWM the most that was since `forget_peak`.
inline std::size_t resident(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field + ":")) return 1024 * std::stoull(line.substr(field.size() + 1));
  }
  return 0;
}

inline void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

}  // namespace gdkm::bench
