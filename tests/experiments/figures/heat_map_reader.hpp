#pragma once

#include <string>
#include <vector>

namespace gdkm::testing {

/// An image that an SVG file holds: one palette index per pixel.
struct HeatMap {
  std::size_t size = 0, shades = 0;
  std::vector<unsigned char> pixels;

  /// The share of the scale at entry (r, c) of a kernel of `n` nodes: 0 is its first shade, 1 its last.
  double part(std::size_t n, std::size_t r, std::size_t c) const;
};

/// All images of an SVG file, in its order.
std::vector<HeatMap> heat_maps_in(const std::string& svg);

}  // namespace gdkm::testing
