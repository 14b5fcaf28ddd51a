#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "gdkm/training/metrics.hpp"

namespace gdkm {

/// Scores as tables write them: accuracies in percent, and R² where numbers are predicted.
inline std::string score_text(double value, bool regression) {
  return fmt::format("{:.{}f}", value, regression ? 4 : 2);
}

/// The mean, with the standard deviation where there is more than one; - where there is none.
inline std::string score_text(const Summary& summary, bool regression) {
  if (std::isnan(summary.mean)) return "-";
  const std::string mean = score_text(summary.mean, regression);
  return summary.count > 1 ? mean + " ± " + score_text(summary.std, regression) : mean;
}

/// The title of a column of `part`'s scores ("val"), of data with classes, with numbers, or with both.
inline std::string score_title(const std::string& part, bool classes, bool numbers) {
  return part + (numbers ? (classes ? " %/R2" : " R2") : " %");
}

}  // namespace gdkm
