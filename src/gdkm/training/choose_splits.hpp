#pragma once

#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/training/settings.hpp"

namespace gdkm {

/// The splits that `settings` names; an InputError when the data has no such split set or fewer splits.
std::vector<Split> choose_splits(const Settings& settings, const Dataset& dataset);

}  // namespace gdkm
