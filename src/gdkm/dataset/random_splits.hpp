#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Random splits of the labelled nodes, stratified: of m nodes round(train·m) train and round(val·m) select,
/// and every class is shared out in the same proportions, to within a node. The rest tests. Split s depends
/// on (seed, s) alone. InputError where the fractions are impossible or nothing would be left to train on.
std::vector<Split> random_splits(const std::vector<std::int32_t>& label, double train_fraction,
                                 double val_fraction, int count, std::uint64_t seed);

}  // namespace gdkm
