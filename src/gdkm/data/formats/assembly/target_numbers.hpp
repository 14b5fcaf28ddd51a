#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Sets target and label from the numbers of all nodes as text, one each. "", "?" and "nan" mean that it is
/// not known; what else is no finite number is an InputError that names it.
void set_targets(const std::vector<std::string>& text, Dataset& dataset);

}  // namespace gdkm
