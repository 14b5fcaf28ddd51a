#pragma once

#include "gdkm/data/generators/generated_splits.hpp"
#include "gdkm/data/generators/generator_options.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Minesweeper (Platonov et al., 2023): a grid whose nodes touch their up to 8 neighbours; a fraction `mines`
/// of them, exact to rounding, are mines (class 1). Features are the published file's 7 columns: column 0
/// flags a hidden node (its other columns are 0), else column 1 + min(k, 5) is set, k the number of
/// neighbouring mines. A mine shows its count like any other node.
struct Minesweeper {
  static constexpr const char* name = "minesweeper";
  static constexpr const char* summary = "grid with hidden mines (Platonov et al., 2023)";

  std::int64_t rows = 100, cols = 100;
  double mines = 0.2, hidden = 0.5;
  GeneratedSplits splits;

  GeneratorOptions options();
  Dataset generate() const;
};

}  // namespace gdkm
