#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace gdkm::parts {

inline constexpr const char* head_file = "partition.npz";
inline constexpr std::int64_t version = 1;
inline std::string part_file(int part) {
  return fmt::format("part-{:05}.npz", part);
}
inline std::string features_file(int part) {
  return fmt::format("part-{:05}.features.npy", part);
}

}  // namespace gdkm::parts
