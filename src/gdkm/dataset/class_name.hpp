#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The name of class `c`, or its number where classes have no names.
std::string class_name(const Dataset& dataset, Index c);

/// The same in messages: a name stands in quotes.
std::string class_text(const Dataset& dataset, Index c);

/// At most five of the texts, with commas: "'red', 'blue', ...".
std::string first_few(const std::vector<std::string>& texts);

}  // namespace gdkm
