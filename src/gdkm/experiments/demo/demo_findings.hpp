#pragma once

#include <string>

#include "gdkm/experiments/demo/demo_results.hpp"

namespace gdkm {

/// What the numbers of a demo show, in sentences made from them.
struct DemoFindings {
  std::size_t nu = 1;     // index of the finite ν with the best validation accuracy over all graphs
  Summary heterophilous;  // its gain over the NNGP at the lowest homophily, in points, over graphs
  Summary homophilous;    // and at the highest
  Summary board_auc;      // the same for Minesweeper's AUC, with the ν that validation prefers there
  std::size_t board_nu = 1;

  std::string headline;  // one short sentence
  std::string detail;    // the numbers behind it
  std::string kernels;   // what the pictured kernels look like
  std::string boards;    // Minesweeper
};

/// Whether a difference is more than two standard errors from 0. The page says so.
bool is_clear(const Summary& difference);

DemoFindings find_in(const DemoPlan& plan, const DemoResults& results);

}  // namespace gdkm
