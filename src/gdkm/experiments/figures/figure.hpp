#pragma once

#include <string>
#include <vector>

#include "gdkm/store/run_export.hpp"

namespace gdkm {

/// A figure before it is written: its pictures, and the numbers that they show.
struct Figure {
  struct Picture {
    std::string name, svg;  // the name is the file's, without ending
  };
  struct Numbers {
    std::string name;
    ExportTable table;
  };
  std::vector<Picture> pictures;
  std::vector<Numbers> numbers;
  std::string summary;  // in lines, for a terminal
};

}  // namespace gdkm
