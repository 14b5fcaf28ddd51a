#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gdkm/store/run_export.hpp"

namespace gdkm {

/// A figure before it is written to files: its pictures, and the numbers that they show.
struct Figure {
  struct Picture {
    std::string name, svg;  // the name of the file, without extension
  };
  struct Numbers {
    std::string name;
    ExportTable table;
  };
  std::vector<Picture> pictures;
  std::vector<Numbers> numbers;
  std::string summary;  // lines for a terminal
};

/// Writes NAME.svg, NAME.png and NAME.csv into `folder`, which it creates if needed, and returns their paths
/// in that order. Without the program that makes PNG files it writes the others and warns once.
std::vector<std::filesystem::path> write_figure(const Figure& figure, const std::filesystem::path& folder,
                                                const std::function<void(const std::string&)>& warn);

}  // namespace gdkm
