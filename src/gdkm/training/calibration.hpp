#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// Logits of some items: N(mean, variance I) for each. Without variances they are known exactly.
struct Logits {
  Index classes = 0;
  std::vector<double> mean;      // items × classes, row-major
  std::vector<double> variance;  // one per item, or none at all
  Index items() const { return static_cast<Index>(mean.size()) / classes; }
};

/// Logarithms of probabilities are logits; zeros count as the smallest number.
Logits as_logits(std::vector<double> probabilities, Index classes);

/// How logits become probabilities,
///
///     p = softmax(mean / (T √(1 + κ π/8 · variance))),
///
/// with the temperature T and the moderation κ. At T = κ = 1 it approximates the expectation of the softmax
/// (MacKay, 1992). The order of the classes is that of the means.
struct Calibration {
  double temperature = 1, moderation = 1;
};

std::vector<double> class_probabilities(const Logits& logits, const Calibration& calibration);

/// Mean −log p(label) of the items; each has a label.
double mean_nll(const Logits& logits, const std::vector<std::int32_t>& label, const Calibration& calibration);

/// T and κ that make the labels most probable, with a normal prior on their logarithms (standard deviations
/// 0.3 and 1), so that a few labels change little. `start`: where to search first. `class_weight`: how much
/// the log-likelihood of an item counts, by its class; empty where all count the same.
Calibration calibrate(const Logits& logits, const std::vector<std::int32_t>& label, Calibration start = {},
                      const std::vector<double>& class_weight = {});

/// The same for models that predict probabilities p: p^(1/T), normalised. T is fitted to the `items`, which
/// have labels; the probabilities are of all items. The prior on log T is wider, with a standard deviation of
/// 1, and labels are in doubt by 1 / (items + 2): noise that is fitted to few labels may be many times too
/// small, and a few items that are right do not make a model certain.
Calibration calibrate(const std::vector<double>& probabilities, Index classes,
                      const std::vector<std::int32_t>& label, const std::vector<std::int32_t>& items);
std::vector<double> calibrated(std::vector<double> probabilities, Index classes,
                               const Calibration& calibration);

/// The same for numbers: every row of `predictions` has the means of so many targets and then their standard
/// deviations, which T multiplies; κ is 1. NaN is a target that is not known. The prior on log T is as wide
/// as that of probabilities.
Calibration calibrate_numbers(const std::vector<double>& predictions, int targets,
                              const std::vector<float>& observed);
std::vector<double> calibrated_numbers(std::vector<double> predictions, int targets,
                                       const Calibration& calibration);

}  // namespace gdkm
