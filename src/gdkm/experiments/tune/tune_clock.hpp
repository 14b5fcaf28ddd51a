#pragma once

#include <string>

#include "gdkm/store/owner.hpp"

namespace gdkm {

/// Seconds of "30s", "10m" or "2h"; an OptionError says what is allowed.
double parse_budget(const std::string& text);

/// The time of a tuning. What earlier processes used of the budget counts.
struct TuneClock {
  double budget = 600;  // seconds
  double used = 0;      // before this process
  double start = wall_clock();

  /// The moment, in seconds since 1970, at which a fraction of the budget is used up.
  double at(double fraction) const { return start + fraction * budget - used; }
  double left() const { return at(1) - wall_clock(); }
};

}  // namespace gdkm
