#pragma once

#include <string>
#include <vector>

namespace gdkm {

/// One axis of a chart: its ends, and its ticks with their labels.
struct Axis {
  struct Tick {
    double at = 0;
    std::string label;  // markup; "" for a tick without a label
  };
  double low = 0, high = 1;
  std::vector<Tick> ticks;
};

/// Covers [low, high] with about `count` steps of 1, 2, 2.5 or 5 times a power of ten; the ends are ticks.
Axis round_axis(double low, double high, int count = 5);

/// [low, high], widened to `least` if it is narrower and kept within 0 … 100; ticks at round numbers.
Axis percent_axis(double low, double high, double least);

/// An axis of decimal logarithms, with ticks at powers of ten.
Axis log_axis(double low, double high);

/// Where a value of the axis lies between two positions on the page; `from` is that of axis.low.
double position(const Axis& axis, double value, double from, double to);

/// 10 to the power of `exponent`, as markup.
std::string power_of_ten(int exponent);

}  // namespace gdkm
