#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Sets label, classes and class_names from the classes of all nodes as text. "", "?" and "-1" are no class.
/// Classes are numbered in natural order, or as `given` lists them, where a class that is not listed is an
/// InputError; names are kept unless they are 0, 1, 2, …
void set_classes(const std::vector<std::string>& text, const std::vector<std::string>& given,
                 Dataset& dataset);

/// Whether `text` means that a node has no class.
bool means_unlabelled(std::string_view text);

/// The order that set_classes gives by itself to the classes which `label` uses; names as numbers where
/// `class_names` is empty.
std::vector<std::string> natural_classes(const Dataset& dataset);

/// What class `c` is called.
std::string class_name(const Dataset& dataset, std::int32_t c);

}  // namespace gdkm
