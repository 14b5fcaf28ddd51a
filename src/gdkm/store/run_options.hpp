#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gdkm/settings/option.hpp"

namespace gdkm {

/// Options of runs by name, as `gdkm train` has them, with '_' for '-': {"nu": 0.1, "scheme": "inter"}.
using RunOptions = std::map<std::string, nlohmann::json>;

/// The name as it is kept: '-' becomes '_'.
std::string option_key(std::string name);

/// Whether an option of this name can differ between runs (seed, split and the machine's options cannot: a
/// run has its own); whether models of this kind have it.
bool is_option(const std::string& key);
bool has_option(const std::string& model, ModelForm form, const std::string& key);
std::vector<std::string> options_of(const std::string& model, ModelForm form);

/// How the model of these options is computed.
ModelForm form_of(const RunOptions& options);

/// The value in its one canonical form; an OptionError says what is allowed.
nlohmann::json check_option(const std::string& key, const nlohmann::json& value);

/// The settings of a run: `given`, and defaults for the rest. An InputError where the model lacks an option
/// that is given, or where values contradict each other or the data.
Settings run_settings(const std::string& model, const RunOptions& given, const DataKind& data = {});

/// What the configuration of such a run holds: all options that have an effect on it. Options without effect
/// are left out, so that equal runs have equal configurations.
nlohmann::json effective_options(const Settings& settings, const DataKind& data = {});
nlohmann::json complete_options(const std::string& model, const RunOptions& given, const DataKind& data = {});

/// Those of them that say which run it is: options that came to gdkm after there were stores count only where
/// they differ from what was done before (value_before), so that runs from before them keep their identity.
nlohmann::json identifying_options(const std::string& model, const nlohmann::json& options);
/// The other way: adds these options, at their defaults, where the model has them, they have an effect on
/// such data, and nothing is said.
void add_later_options(const std::string& model, nlohmann::json& options, const DataKind& data = {});

}  // namespace gdkm
