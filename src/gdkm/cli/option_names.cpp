#include "gdkm/cli/option_names.hpp"

#include <cmath>
#include <sstream>

#include "gdkm/support/error.hpp"

namespace gdkm::cli {

std::vector<double> parse_nu(const std::string& text) {
  std::vector<double> out;
  std::istringstream parts(text);
  std::string part;
  while (std::getline(parts, part, ',')) {
    double value = NAN;
    if (part == "inf") {
      value = INFINITY;
    } else {
      try {
        std::size_t used = 0;
        value = std::stod(part, &used);
        if (used != part.size()) value = NAN;
      } catch (const std::exception&) {
        value = NAN;
      }
    }
    if (!(value >= 0)) {
      throw InputError("--nu " + text + ": expected a number >= 0, got '" + part +
                       "'; give one (0.1), 'inf', or one per layer (0.1,1)");
    }
    if (std::isfinite(value) && value > 1e12) {
      throw InputError("--nu " + text + ": " + part + " is larger than 1e12; give 'inf'");
    }
    out.push_back(value);
  }
  if (text.ends_with(',')) {
    throw InputError("--nu " + text + ": expected a number after the last comma");
  }
  if (out.empty()) throw InputError("--nu is empty; give a number >= 0 or 'inf'");
  return out;
}

}  // namespace gdkm::cli
