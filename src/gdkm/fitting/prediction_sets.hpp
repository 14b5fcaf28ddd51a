#pragma once

#include <vector>

#include "gdkm/fitting/model_card.hpp"
#include "gdkm/fitting/predictions.hpp"

namespace gdkm {

/// For every item the classes, or the range of numbers, that hold the truth as often as asked.
struct PredictionSets {
  double asked = 0;
  /// Whether items that were kept apart set their size: see conformal.hpp. Otherwise intervals are those of
  /// the normal distributions that the model predicts.
  bool calibrated = false;
  std::vector<double> thresholds;    // one of classes, or one per number
  std::vector<char> member;          // items × classes: 1 where the class belongs to the set
  std::vector<double> lower, upper;  // items × outputs, of regression
  /// On items with known labels that the training did not see; empty where there are none.
  std::optional<Coverage> measured;
};

/// An InputError where the coverage is not between 0 and 1, or the model has classes and kept no items apart.
PredictionSets prediction_sets(const Predictions& predictions, const ModelCard& card, double coverage);

}  // namespace gdkm
