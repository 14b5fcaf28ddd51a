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

/// The picture as a PNG file. The pixels are stored, not compressed: a heat map of noise hardly shrinks, and
/// no library is needed.
std::string encode_png(const PalettePicture& picture);

/// Checksums of the format, as PNG (CRC-32) and zlib (Adler-32) define them.
std::uint32_t crc32_of(std::string_view bytes);
std::uint32_t adler32_of(std::string_view bytes);

}  // namespace gdkm
