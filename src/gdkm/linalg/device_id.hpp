#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdkm {

/// Where to compute: the CPU, or one of the machine's NVIDIA GPUs.
struct DeviceId {
  enum class Kind { cpu, cuda };
  Kind kind = Kind::cpu;
  int number = 0;  // which GPU

  bool is_cpu() const { return kind == Kind::cpu; }
  bool operator==(const DeviceId&) const = default;
};

/// The GPU of that number.
inline DeviceId cuda_device(int number = 0) {
  return {DeviceId::Kind::cuda, number};
}

/// Reads "cpu", "cuda" (the first GPU) or "cuda:N"; nothing where the text is none of these.
std::optional<DeviceId> parse_device(std::string_view text);
std::string to_string(const DeviceId& device);

}  // namespace gdkm
