#pragma once

#include <iosfwd>
#include <string>

#include "gdkm/experiments/sweep/sweep.hpp"

namespace gdkm {

/// A sweep while it runs, on standard error: a block of lines that is redrawn on a terminal; elsewhere a
/// plain line now and then.
class SweepView {
 public:
  enum class Style { quiet, lines, block };
  explicit SweepView(std::string name, bool quiet);
  /// For tests.
  SweepView(std::string name, std::ostream& out, Style style, int columns);

  void show(const SweepState& state);
  /// A message; the block is drawn again below it.
  void say(const std::string& message);
  /// The last state stays on the screen.
  void finish();

 private:
  void draw_block(const SweepState& state);
  void erase_block();
  int columns() const;

  std::string name_;
  std::ostream* out_;
  Style style_;
  int columns_ = 0;  // 0 asks the terminal
  int drawn_ = 0;    // lines of the block on the screen
  double last_line_ = -1;
  int last_done_ = -1;
};

/// "12/80 runs, 1 failed, 3.1 runs/min, 0:40 left": one line.
std::string progress_text(const SweepState& state);
/// "81.20 ± 0.31 (nu=10 scheme=inter)".
std::string best_text(const StageChain::Best& best);
/// "1:02:03".
std::string duration_text(double seconds);

}  // namespace gdkm
