#pragma once

#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// The splits that `options` name; an InputError when the data has no such split set or fewer splits.
std::vector<Split> choose_splits(const SplitOptions& options, const Dataset& dataset);

/// A share of the validation items, drawn at random, kept apart: they become Split::conformal. An OptionError
/// where there is none to keep.
Split keep_apart(Split split, double share, std::uint64_t seed);

/// Split number `index` of them, whatever options.count is.
Split choose_split(SplitOptions options, int index, const Dataset& dataset);

}  // namespace gdkm
