#pragma once

#include <string>
#include <string_view>

#include "gdkm/python/module.hpp"

namespace gdkm::python {

/// An option as a parameter of an estimator: `lambda` is a word of Python and becomes lambda_, and
/// kernel_ leaves its name to the method kernel(); scikit-learn
/// calls the seed random_state, and the weights of classes class_weight.
std::string python_name(std::string_view option);
/// A mention of an option in a message: nu=0.1.
std::string python_spelling(std::string_view name, std::string_view value);

}  // namespace gdkm::python
