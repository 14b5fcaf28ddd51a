#pragma once

#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// The splits that `options` name; an InputError when the data has no such split set or fewer splits.
std::vector<Split> choose_splits(const SplitOptions& options, const Dataset& dataset);

/// Split number `index` of them, whatever options.count is.
Split choose_split(SplitOptions options, int index, const Dataset& dataset);

}  // namespace gdkm
