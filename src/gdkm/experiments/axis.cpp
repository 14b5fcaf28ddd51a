#include "gdkm/experiments/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gdkm {

namespace {

double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

int decimals_of(double step) {
  int decimals = 0;
  for (double rest = step; decimals < 9 && std::abs(rest - std::round(rest)) > 1e-6; rest *= 10) ++decimals;
  return decimals;
}

}  // namespace

std::string Axis::label(double tick) const {
  // A minus sign, which is as wide as a digit; a hyphen is not.
  const std::string digits = fmt::format("{:.{}f}", std::abs(tick), decimals);
  return tick < 0 && digits.find_first_not_of("0.") != std::string::npos ? "−" + digits : digits;
}

Axis round_axis(double low, double high, int count) {
  if (!(high > low)) {  // one value, or none that is a number
    const double centre = std::isfinite(low) ? low : 0;
    low = centre - 0.5;
    high = centre + 0.5;
  }
  const double step = round_step((high - low) / std::max(count, 1));
  Axis out;
  const auto first = static_cast<long>(std::floor(low / step + 1e-9)),
             last = static_cast<long>(std::ceil(high / step - 1e-9));
  for (long k = first; k <= last; ++k) out.ticks.push_back(static_cast<double>(k) * step);
  out.low = out.ticks.front();
  out.high = out.ticks.back();
  out.decimals = decimals_of(step);
  return out;
}

double position(const Axis& axis, double value, double from, double to) {
  return from + (value - axis.low) / (axis.high - axis.low) * (to - from);
}

}  // namespace gdkm
