#include "gdkm/training/conformal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gdkm {

namespace {

/// Products such as 100 · 0.29 are a little off.
constexpr double rounding = 1e-9;

double target_of(const Problem& problem, std::size_t item, std::size_t output) {
  return static_cast<double>(problem.target[item * static_cast<std::size_t>(problem.targets) + output]);
}

bool is_known(const Problem& problem, std::size_t item) {
  if (!problem.is_regression()) return problem.label[item] >= 0;
  for (int c = 0; c < problem.targets; ++c) {
    if (std::isnan(target_of(problem, item, static_cast<std::size_t>(c)))) return false;
  }
  return true;
}

/// |y − mean| / deviation.
double residual(const Problem& problem, const double* row, std::size_t item, std::size_t output) {
  const auto outputs = static_cast<std::size_t>(problem.targets);
  return std::abs(target_of(problem, item, output) - row[output]) / row[outputs + output];
}

}  // namespace

ConformalScores conformal_scores(const Problem& problem, std::span<const double> predictions,
                                 const std::vector<std::int32_t>& items) {
  const auto columns = static_cast<std::size_t>(problem.columns());
  ConformalScores out(problem.is_regression() ? static_cast<std::size_t>(problem.targets) : 1);
  for (const auto each : items) {
    const auto item = static_cast<std::size_t>(each);
    if (!is_known(problem, item)) continue;
    const double* row = predictions.data() + item * columns;
    if (!problem.is_regression()) out[0].push_back(1 - row[problem.label[item]]);
    for (std::size_t c = 0; c < static_cast<std::size_t>(problem.targets); ++c)
      out[c].push_back(residual(problem, row, item, c));
  }
  for (auto& scores : out) std::sort(scores.begin(), scores.end());
  return out;
}

double conformal_threshold(const std::vector<double>& scores, double coverage) {
  const auto rank =
      static_cast<std::size_t>(std::ceil((static_cast<double>(scores.size()) + 1) * coverage - rounding));
  if (rank > scores.size()) return std::numeric_limits<double>::infinity();
  return scores[std::max<std::size_t>(rank, 1) - 1];
}

std::int64_t fewest_conformal_items(double coverage) {
  return static_cast<std::int64_t>(std::ceil(coverage / (1 - coverage) - rounding));
}

std::optional<Coverage> measure_coverage(const Problem& problem, std::span<const double> predictions,
                                         const std::vector<std::int32_t>& items,
                                         const std::vector<double>& thresholds) {
  const auto columns = static_cast<std::size_t>(problem.columns());
  Coverage out;
  double held = 0, size = 0;
  for (const auto each : items) {
    const auto item = static_cast<std::size_t>(each);
    if (!is_known(problem, item)) continue;
    ++out.items;
    const double* row = predictions.data() + item * columns;
    if (problem.is_regression()) {
      const auto outputs = static_cast<std::size_t>(problem.targets);
      for (std::size_t c = 0; c < outputs; ++c) {
        held += (residual(problem, row, item, c) <= thresholds[c] ? 1 : 0) / static_cast<double>(outputs);
        size += 2 * thresholds[c] * row[outputs + c] / static_cast<double>(outputs);
      }
    } else {
      for (std::size_t c = 0; c < columns; ++c) size += 1 - row[c] <= thresholds[0] ? 1 : 0;
      held += 1 - row[problem.label[item]] <= thresholds[0] ? 1 : 0;
    }
  }
  if (out.items == 0) return std::nullopt;
  out.measured = held / static_cast<double>(out.items);
  out.size = size / static_cast<double>(out.items);
  return out;
}

}  // namespace gdkm
