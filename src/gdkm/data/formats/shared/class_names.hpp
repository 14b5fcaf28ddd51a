#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Sets label, classes and class_names from the class of each node, given as text. "-1" and the words of
/// means_missing (empty, NA, nan, None, ?) mean no class. Classes are numbered in natural order, or in the
/// order of `given`; a class missing from `given` is an InputError. Names are kept unless they are just 0, 1,
/// 2, …
void set_classes(const std::vector<std::string>& text, const std::vector<std::string>& given,
                 Dataset& dataset);

/// Whether `text` stands for "no class".
bool means_unlabelled(std::string_view text);

/// The classes that occur in `label`, in the order that set_classes gives them by default. Classes without
/// names are called by their numbers.
std::vector<std::string> natural_classes(const Dataset& dataset);

/// Whether the classes are so many different numbers that they are probably to be predicted as numbers.
bool has_many_numbers(const Dataset& dataset);
/// What is to be said then; `where` is the file.
std::string many_numbers(const std::string& where, const Dataset& dataset);

/// Sets target and label from the number of each node, given as text. The words of means_missing mean
/// unknown. Any other text that is not a finite number is an InputError. With `decimal_comma` 1,5 is a
/// number.
void set_targets(const std::vector<std::string>& text, Dataset& dataset, bool decimal_comma = false);

}  // namespace gdkm
