#include "gdkm/experiments/drawing/colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gdkm::colours {

namespace {

std::string variables(std::string_view Colour::*value) {
  std::vector<Colour> all{paper, panel, ink, soft, faint, rule, accent};
  all.insert(all.end(), series.begin(), series.end());
  std::string out;
  for (const Colour& colour : all) out += fmt::format(" --{}: {};", colour.name, colour.*value);
  return out;
}

}  // namespace

Rgb of_cosine(double cosine) {
  const double at = (std::clamp(cosine, -1.0, 1.0) + 1) / 2 * (ramp.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
  Rgb out{};
  for (std::size_t c = 0; c < out.size(); ++c) {
    out[c] = static_cast<std::uint8_t>(
        std::lround(ramp[k][c] + (at - static_cast<double>(k)) * (ramp[k + 1][c] - ramp[k][c])));
  }
  return out;
}

std::string css() {
  std::string stops;
  for (const Rgb& stop : ramp) stops += fmt::format(",rgb({})", fmt::join(stop, ","));
  return fmt::format(
      ":root {{{} --ramp: linear-gradient(to right{}); }}\n"
      "@media screen and (prefers-color-scheme: dark) {{ :root {{{} }} }}\n",
      variables(&Colour::light), stops, variables(&Colour::dark));
}

}  // namespace gdkm::colours
