#pragma once

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

}  // namespace gdkm
