#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/experiments/drawing/colours.hpp"

namespace gdkm {

/// A picture of at most 256 colours: one palette index per pixel, row by row.
struct PalettePicture {
  std::uint32_t width = 0, height = 0;
  std::vector<colours::Rgb> palette;
  std::vector<std::uint8_t> pixels;
};

/// The picture as a PNG file.
std::string encode_png(const PalettePicture& picture);

}  // namespace gdkm
