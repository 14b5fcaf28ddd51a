#include "gdkm/experiments/figures/heat_colours.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/base64.hpp"

namespace gdkm {

namespace {

/// Control points at equal distances; between them lightness rises evenly.
constexpr std::array<PalettePicture::Colour, 6> scale{
    {{22, 14, 58}, {52, 52, 122}, {38, 98, 142}, {30, 146, 134}, {110, 194, 92}, {250, 232, 64}}};
constexpr int shades = 128;

}  // namespace

PalettePicture::Colour heat_colour(double part) {
  const double at = std::clamp(part, 0.0, 1.0) * (scale.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), scale.size() - 2);
  PalettePicture::Colour out{};
  for (std::size_t c = 0; c < out.size(); ++c) {
    out[c] = static_cast<std::uint8_t>(
        std::lround(scale[k][c] + (at - static_cast<double>(k)) * (scale[k + 1][c] - scale[k][c])));
  }
  return out;
}

std::string heat_map(const KernelPicture& picture, double low) {
  constexpr Index enough = 240;  // pixels a side; some programs blur what is enlarged further
  const auto n = picture.size, times = n > 0 ? std::max<Index>(1, (enough + n - 1) / n) : 1;
  PalettePicture image;
  image.width = image.height = static_cast<std::uint32_t>(n * times);
  for (int k = 0; k < shades; ++k)
    image.palette.push_back(heat_colour(static_cast<double>(k) / (shades - 1)));
  for (Index r = 0; r < n * times; ++r) {
    for (Index c = 0; c < n * times; ++c) {
      const double value = picture.cosine[static_cast<std::size_t>(r / times * n + c / times)];
      const double part = std::clamp((value - low) / (1 - low), 0.0, 1.0);
      image.pixels.push_back(static_cast<std::uint8_t>(std::lround(part * (shades - 1))));
    }
  }
  return "data:image/png;base64," + base64(encode_png(image));
}

}  // namespace gdkm
