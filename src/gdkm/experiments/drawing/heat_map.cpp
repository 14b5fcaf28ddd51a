#include "gdkm/experiments/drawing/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/drawing/base64.hpp"
#include "gdkm/experiments/drawing/png.hpp"
#include "gdkm/experiments/drawing/svg_document.hpp"

namespace gdkm {

std::string heat_map(const std::vector<double>& cosines, double low, std::size_t least_side) {
  constexpr int shades = 201;
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(cosines.size()))));
  const std::size_t times = n > 0 ? std::max<std::size_t>(1, (least_side + n - 1) / n) : 1;
  PalettePicture image;
  image.width = image.height = static_cast<std::uint32_t>(n * times);
  for (int k = 0; k < shades; ++k)
    image.palette.push_back(colours::of_cosine(low + (1 - low) * k / (shades - 1)));
  for (std::size_t r = 0; r < n * times; ++r) {
    for (std::size_t c = 0; c < n * times; ++c) {
      const double part = std::clamp((cosines[r / times * n + c / times] - low) / (1 - low), 0.0, 1.0);
      image.pixels.push_back(static_cast<std::uint8_t>(std::lround(part * (shades - 1))));
    }
  }
  return "data:image/png;base64," + base64(encode_png(image));
}

void draw_colour_bar(SvgDocument& svg, double x, double y, double height, double low) {
  constexpr int steps = 64, ticks = 4;
  constexpr double width = 11;
  for (int k = 0; k < steps; ++k) {
    // Each overlaps the next a little, so that no seam shows between them.
    svg.rectangle(x, y + height * (1 - (k + 1.0) / steps), width, height / steps + (k > 0 ? 0.5 : 0),
                  colours::of_cosine(low + (1 - low) * (k + 0.5) / steps));
  }
  for (int k = 0; k <= ticks; ++k) {
    const double value = low + (1 - low) * k / ticks, at = y + height * (1 - static_cast<double>(k) / ticks);
    svg.line(x + width, at, x + width + 3, at, {colours::soft, 0.8});
    svg.text(x + width + 6, at + 3.4, fmt::format("{}{:g}", value < 0 ? "−" : "", std::abs(value)),
             {9.5, "start", colours::soft});
  }
}

}  // namespace gdkm
