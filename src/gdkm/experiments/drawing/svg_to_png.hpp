#pragma once

#include <filesystem>
#include <string>

namespace gdkm {

/// A PNG file, or why there is none.
struct PngResult {
  std::string bytes;
  std::string trouble;  // one line; "" where there are bytes
};

/// The picture drawn by librsvg's rsvg-convert, at twice its size. To draw text well takes fonts and their
/// shaping: a program of its own, which is asked for only when it is needed. `program` is looked for along
/// $PATH.
PngResult svg_to_png(const std::filesystem::path& svg, const std::string& program = "rsvg-convert");

}  // namespace gdkm
