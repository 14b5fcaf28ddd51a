#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/figures/figure.hpp"
#include "gdkm/experiments/kernel_picture.hpp"
#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// Kernels in named rows and columns, each as a picture of cosines.
struct KernelGrid {
  struct Cell {
    KernelPicture picture;
    std::string name;     // in the table of numbers
    std::string caption;  // below the picture; "" for none
  };
  std::string title;
  std::vector<std::string> columns, rows;
  std::vector<std::vector<std::optional<Cell>>> cells;  // [row][column]
  std::vector<std::vector<std::int32_t>> labels;        // per row: the classes of its nodes, in order
  /// Per row: the numbers of its nodes in the data, and their names; empty where pictures show all nodes, and
  /// where nodes have no names.
  std::vector<std::vector<std::int32_t>> nodes = {};
  std::vector<std::vector<std::string>> names = {};
};

/// K_ij / √(K_ii K_jj) of a whole kernel.
KernelPicture picture_of_kernel(const Dense& kernel);

/// The grid with its colour scale, from 0 to 1, or from −1 if some cosine is clearly below 0.
std::string to_svg(const KernelGrid& grid);

/// The numbers of the pictures: kernel, node, its name if nodes have names, class, and the row's cosines to
/// four decimals in c0, c1, …, in the order of the rows.
ExportTable to_table(const KernelGrid& grid);

}  // namespace gdkm
