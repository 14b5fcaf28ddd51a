#pragma once

#include <filesystem>
#include <string>

namespace gdkm {

/// A PNG file, or why there is none.
struct PngResult {
  std::string bytes;
  std::string trouble;  // one line; "" where there are bytes
};

/// The picture as librsvg's rsvg-convert draws it, at twice its size. Drawing text well takes fonts and
/// shaping, so a separate program does it, which only this needs. `program` is searched in $PATH.
PngResult svg_to_png(const std::filesystem::path& svg, const std::string& program = "rsvg-convert");

}  // namespace gdkm
