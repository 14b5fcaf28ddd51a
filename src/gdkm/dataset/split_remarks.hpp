#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// What makes results on these splits say little, one line each: a part with fewer than ten items, and
/// classes without an item in a part. Of several splits, the first that has such a part is named.
std::vector<std::string> split_remarks(const Dataset& dataset, const std::vector<Split>& splits);

/// Which classes a model cannot learn from this split, one line each: those without a training item, and
/// those with fewer than three.
std::vector<std::string> training_remarks(const Dataset& dataset, const Split& split);

/// Says that fewer than thirty items are tested; empty otherwise, and where none is.
std::string test_remark(const Dataset& dataset, const Split& split);

}  // namespace gdkm
