#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// What a model says of every item (node or graph) of a data set.
struct Predictions {
  Index items = 0;
  Index outputs = 0;  // classes, or numbers to predict
  bool regression = false;
  /// One row per item: its class probabilities; of regression the means of its numbers, then their standard
  /// deviations.
  std::vector<double> values;
  std::vector<std::string> names;    // of the items, or empty where they are mere numbers
  std::vector<std::string> remarks;  // what of the data was left out or replaced, a line each
  /// What is known of the items: their class among the model's, or −1, and of regression their numbers (items
  /// × outputs, NaN where unknown); empty where the data has none.
  std::vector<std::int32_t> label;
  std::vector<float> target;
  /// 1 where training used an item's label, to learn or to choose by; empty if the model saw none of them.
  std::vector<char> seen;

  Index columns() const { return regression ? 2 * outputs : outputs; }
  const double* row(Index item) const { return values.data() + item * columns(); }
  /// The most probable class; of equally probable ones the first.
  Index predicted_class(Index item) const;
  double mean(Index item, Index output = 0) const { return row(item)[output]; }
  double deviation(Index item, Index output = 0) const { return row(item)[outputs + output]; }
};

}  // namespace gdkm
