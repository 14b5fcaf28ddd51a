#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Sets target and label from the number of each node, given as text. "", "?" and "nan" mean unknown. Any
/// other text that is not a finite number is an InputError.
void set_targets(const std::vector<std::string>& text, Dataset& dataset);

}  // namespace gdkm
