#pragma once

#include <vector>

#include "gdkm/fitting/fitted_model.hpp"

namespace gdkm {

/// The training items that a model finds most similar to each item of some data.
struct NearestItems {
  int count = 0;                    // for each item
  std::vector<std::int32_t> item;   // items × count: numbers of the training data, nearest first
  std::vector<double> similarity;   // the learned kernel, scaled so that an item has 1 with itself
  std::vector<std::string> names;   // of all items of the training data; empty where they are numbers
  std::vector<std::int32_t> label;  // of these: classes of the model, or −1
  std::vector<float> target;        // of regression: items × outputs
};

/// At most `count` training items for each item of `dataset`; a training item is not near itself.
/// `training_data` is what the model was trained on, and may be `dataset`; an InputError where it is not, or
/// where the model does not say which items it learned from.
NearestItems nearest_training_items(const FittedModel& model, const Dataset& dataset,
                                    const Dataset& training_data, int count);

}  // namespace gdkm
