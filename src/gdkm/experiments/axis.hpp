#pragma once

#include <string>
#include <vector>

namespace gdkm {

/// One axis of a chart: its ends and its ticks, at round numbers.
struct Axis {
  double low = 0, high = 1;
  std::vector<double> ticks;
  int decimals = 0;  // that all ticks need

  std::string label(double tick) const;
};

/// An axis whose ends are ticks, that covers [low, high] with about `count` steps of 1, 2, 2.5 or 5 times a
/// power of ten.
Axis round_axis(double low, double high, int count = 5);

/// Where a value of the axis lies between two positions on the page; `from` is that of axis.low.
double position(const Axis& axis, double value, double from, double to);

}  // namespace gdkm
