#include "gdkm/experiments/drawing/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/number_text.hpp"

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

Axis round_axis(double low, double high, int count) {
  if (!(high > low)) {  // one value, or none that is a number
    const double centre = std::isfinite(low) ? low : 0;
    low = centre - 0.5;
    high = centre + 0.5;
  }
  const double step = round_step((high - low) / std::max(count, 1));
  const auto first = static_cast<long>(std::floor(low / step + 1e-9)),
             last = static_cast<long>(std::ceil(high / step - 1e-9));
  Axis out;
  for (long k = first; k <= last; ++k) {
    const double tick = static_cast<double>(k) * step;
    out.ticks.push_back({tick, number_text(tick, decimals_of(step))});
  }
  out.low = out.ticks.front().at;
  out.high = out.ticks.back().at;
  return out;
}

Axis percent_axis(double low, double high, double least) {
  if (!(high >= low)) low = high = 50;  // no number at all
  const double missing = std::max(0.0, least - (high - low)) / 2;
  low -= missing;
  high += missing;
  if (high > 100) {
    low = std::max(0.0, low - (high - 100));
    high = 100;
  }
  if (low < 0) {
    high = std::min(100.0, high - low);
    low = 0;
  }
  Axis out{low, high, {}};
  for (int count = 4; count <= 8 && out.ticks.size() < 3; ++count) {
    out.ticks = round_axis(low, high, count).ticks;
    std::erase_if(out.ticks, [&](const Axis::Tick& t) { return t.at < low - 1e-9 || t.at > high + 1e-9; });
  }
  return out;
}

Axis log_axis(double low, double high) {
  Axis out{low, high > low ? high : low + 1, {}};
  const int span = static_cast<int>(std::floor(out.high) - std::ceil(out.low));
  const int step = std::max(1, (span + 4) / 5);
  for (int k = static_cast<int>(std::ceil(out.low - 1e-9)); k <= out.high + 1e-9; ++k) {
    if (((k % step) + step) % step == 0) out.ticks.push_back({static_cast<double>(k), power_of_ten(k)});
  }
  return out;
}

double position(const Axis& axis, double value, double from, double to) {
  return from + (value - axis.low) / (axis.high - axis.low) * (to - from);
}

std::string power_of_ten(int exponent) {
  return fmt::format("10<tspan dy='-0.45em' font-size='70%'>{}{}</tspan>", exponent < 0 ? "−" : "",
                     std::abs(exponent));
}

}  // namespace gdkm
