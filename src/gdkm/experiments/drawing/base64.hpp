#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gdkm {

/// Bytes as base64 with padding, for data: addresses.
inline std::string base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t group = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      group = group << 8 | (k + b < bytes.size() ? static_cast<unsigned char>(bytes[k + b]) : 0u);
    }
    for (std::size_t d = 0; d < 4; ++d) {
      out += d <= bytes.size() - k ? digits[group >> (18 - 6 * d) & 63] : '=';
    }
  }
  return out;
}

}  // namespace gdkm
