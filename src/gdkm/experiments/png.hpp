#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdkm {

/// A picture of at most 256 colours: one palette index per pixel, row by row.
struct PalettePicture {
  using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

  std::uint32_t width = 0, height = 0;
  std::vector<Colour> palette;
  std::vector<std::uint8_t> pixels;
};

/// The picture as a PNG file.
std::string encode_png(const PalettePicture& picture);

/// CRC-32, the checksum of a PNG file's parts.
std::uint32_t crc32_of(std::string_view bytes);

}  // namespace gdkm
