#pragma once

#include "gdkm/python/module.hpp"
#include "gdkm/settings/option.hpp"

namespace gdkm::python {

/// A value of Python as an option takes it: a number, text, True, or a list of numbers (one per layer). A
/// wrong type is an OptionError.
OptionValue option_value(const Option& option, nanobind::handle value);
nanobind::object to_python(const Option& option, const OptionValue& value);

/// The settings of `model` with the options of a dict, by their names in the table.
Settings settings_from(const std::string& model, const nanobind::dict& options);
/// Throws an OptionError for an option of the dict that has no effect on such data.
void refuse_without_effect(const nanobind::dict& options, const Settings& settings, const DataKind& data);

}  // namespace gdkm::python
