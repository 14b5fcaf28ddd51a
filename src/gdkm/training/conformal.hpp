#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gdkm/training/problem.hpp"

namespace gdkm {

// Split conformal prediction. Items that nothing was chosen by say how large scores are: 1 − p(true class),
// or |y − mean| / deviation of a number. A class, or a number, belongs to the set of a new item if its score
// is at most the ⌈(n + 1) · coverage⌉-th smallest of n. If the new item and these are exchangeable, the truth
// belongs to the set with at least that probability, whatever the model (Vovk et al., 2005; for classes
// Sadinle et al., 2019).

/// Ascending scores: one list of classes, or one for every number to predict.
using ConformalScores = std::vector<std::vector<double>>;

/// Of the labelled ones of `items`; `predictions` as Problem::columns has them.
ConformalScores conformal_scores(const Problem& problem, std::span<const double> predictions,
                                 const std::vector<std::int32_t>& items);

/// The largest score that a member of a set may have; ∞ where there are too few scores for this coverage.
double conformal_threshold(const std::vector<double>& scores, double coverage);
/// So many scores it takes at least.
std::int64_t fewest_conformal_items(double coverage);

/// What prediction sets are asked to have where nobody says it.
inline constexpr double usual_coverage = 0.9;

/// How often sets hold the truth, on items with known labels.
struct Coverage {
  double asked = 0;
  std::int64_t calibration_items = 0;  // whose scores set the threshold
  std::int64_t items = 0;              // that it was measured on
  double measured = 0;                 // the share of sets that hold the truth
  double size = 0;                     // mean number of classes in a set, or mean width of an interval
};

/// Nothing where none of `items` is labelled. With `thresholds` as conformal_threshold gives them.
std::optional<Coverage> measure_coverage(const Problem& problem, std::span<const double> predictions,
                                         const std::vector<std::int32_t>& items,
                                         const std::vector<double>& thresholds);

}  // namespace gdkm
