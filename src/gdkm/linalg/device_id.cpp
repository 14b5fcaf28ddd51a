#include "gdkm/linalg/device_id.hpp"

#include <charconv>

namespace gdkm {

std::optional<DeviceId> parse_device(std::string_view text) {
  if (text == "cpu") return DeviceId{};
  if (text == "cuda") return DeviceId{DeviceId::Kind::cuda, 0};
  if (!text.starts_with("cuda:")) return std::nullopt;
  DeviceId out{DeviceId::Kind::cuda, 0};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 5, end, out.number);
  if (error != std::errc() || stop != end || out.number < 0) return std::nullopt;
  return out;
}

std::string to_string(const DeviceId& device) {
  if (device.is_cpu()) return "cpu";
  return device.number == 0 ? "cuda" : "cuda:" + std::to_string(device.number);
}

}  // namespace gdkm
