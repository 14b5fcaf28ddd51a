#include "gdkm/experiments/tune/tune_clock.hpp"

#include <charconv>
#include <cmath>

#include "gdkm/support/error.hpp"

namespace gdkm {

double parse_budget(const std::string& text) {
  constexpr double longest = 30 * 24 * 3600.0;
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const std::string unit(stop, end);
  const double scale = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  const double seconds = number * scale;
  if (error != std::errc{} || scale == 0 || !(seconds > 0) || seconds > longest)
    throw OptionError("budget", text, "expected a time of up to 30 days, in seconds, minutes or hours",
                      "write 30s, 10m or 2h");
  return seconds;
}

}  // namespace gdkm
