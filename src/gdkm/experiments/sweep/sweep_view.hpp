#pragma once

#include <iosfwd>
#include <string>

#include "gdkm/experiments/sweep/sweep.hpp"

namespace gdkm {

/// Shows the progress of a sweep on standard error: a block of lines that is redrawn on a terminal, a plain
/// line every few seconds elsewhere.
class SweepView {
 public:
  enum class Style { quiet, lines, block };
  explicit SweepView(std::string name, bool quiet);
  /// For tests.
  SweepView(std::string name, std::ostream& out, Style style, int columns);

  void show(const SweepState& state);
  /// Prints a message; the next `show` draws the block below it.
  void message(const std::string& text);
  /// Leaves the last state on the screen.
  void finish();

 private:
  void draw_block(const SweepState& state);
  void erase_block();

  std::string name_;
  std::ostream* out_;
  Style style_;
  int columns_ = 0;  // 0: those of the terminal
  int drawn_ = 0;    // lines of the block on the screen
  double last_line_ = -1;
  int last_done_ = -1;
};

/// "12/80 runs, 1 failed, 3.1 runs/min, 0:40 left": one line.
std::string progress_text(const SweepState& state);
/// "nu=10 scheme=inter".
std::string options_text(const RunOptions& options);
/// "81.20 ± 0.31  nu=10 scheme=inter".
std::string best_text(const StageChain::Best& best);

}  // namespace gdkm
