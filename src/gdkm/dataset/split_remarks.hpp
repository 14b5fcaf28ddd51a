#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// What makes results on these splits say little, one line each: a part with fewer than ten items, and
/// classes without an item in a part. Of several splits, the first that has such a part is named.
std::vector<std::string> split_remarks(const Dataset& dataset, const std::vector<Split>& splits);

}  // namespace gdkm
