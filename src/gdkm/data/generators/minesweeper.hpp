#pragma once

#include "gdkm/data/generators/generator_options.hpp"

namespace gdkm {

/// Minesweeper (Platonov et al., 2023): a grid in which each node is connected to its up to 8 neighbours. A
/// fraction `mines` of the nodes, rounded, are mines (class 1). The 7 feature columns are those of the
/// published file: column 0 marks a hidden node, whose other columns are 0; otherwise column 1 + min(k, 5) is
/// 1, where k is the number of neighbouring mines. Mines show their count like any other node.
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
