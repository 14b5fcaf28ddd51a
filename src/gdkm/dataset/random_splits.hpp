#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Stratified random splits of the labelled nodes: of m nodes round(train·m) train, round(val·m) validate and
/// the rest test, and every class is divided in the same proportions, to within one node. Split s depends
/// only on (seed, s). Impossible fractions, and an empty training part, are InputErrors.
std::vector<Split> random_splits(const std::vector<std::int32_t>& label, double train_fraction,
                                 double val_fraction, int count, std::uint64_t seed);

}  // namespace gdkm
