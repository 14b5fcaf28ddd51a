#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/fitting/predictions.hpp"

namespace gdkm {

/// A node or graph that its owner may want to look at.
struct DoubtfulItem {
  std::string name, part;        // part: training, validation, test, or "" for none of them
  std::string label, predicted;  // classes by name, or numbers; label is "" if there is none
  double confidence = 0;         // the probability of the predicted class; of numbers the standard deviation
  double label_probability = 0;  // of classes; of numbers the distance from the label in standard deviations
};

struct DoubtfulItems {
  std::vector<DoubtfulItem> unsure;      // predictions with the lowest confidence, training items apart
  std::vector<DoubtfulItem> surprising;  // labels that the model finds least likely
};

DoubtfulItems doubtful_items(const Predictions& predictions, const Dataset& dataset, const Split& split,
                             std::size_t most);

}  // namespace gdkm
