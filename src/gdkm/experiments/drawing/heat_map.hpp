#pragma once

#include <string>
#include <vector>

namespace gdkm {

class SvgDocument;

/// A square matrix of cosines, row by row, as the address of an image; `low` is the cosine of the first
/// shade, the last one stands for 1. The image has at least `least_side` pixels a side: some programs blur
/// small images when they enlarge them.
std::string heat_map(const std::vector<double>& cosines, double low, std::size_t least_side = 1);

/// The scale of a heat map, upright, with its numbers to the right.
void draw_colour_bar(SvgDocument& svg, double x, double y, double height, double low);

}  // namespace gdkm
