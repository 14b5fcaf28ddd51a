#pragma once

#include <vector>

#include "gdkm/layers/labels.hpp"
#include "gdkm/training/batches.hpp"

namespace gdkm {

/// How much the log-likelihood of every item of a problem counts: its own weight times that of its class.
/// Nothing where all items count the same. A weight of 2 is the same as the item twice.
std::vector<double> weights_of_items(const std::vector<double>& class_weight, const Problem& problem);

/// The same for a mean over items: divided by the mean of the own weights of `train`.
std::vector<double> mean_weights_of_items(const std::vector<double>& class_weight, const Problem& problem,
                                          const std::vector<std::int32_t>& train);

/// Puts the items of a batch in the order of their weights; items that weigh the same stay in their order.
void order_by_weight(const std::vector<double>& item_weight, Batch& batch);
/// The weights of items in that order. Each takes calls of its own in every step, which a GPU feels where
/// there are thousands.
std::vector<WeightRun> weight_runs(const std::vector<double>& item_weight,
                                   const std::vector<std::int32_t>& items);

}  // namespace gdkm
