#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gdkm {

/// Options of runs by name, as `gdkm train` has them, with '_' for '-': {"nu": 0.1, "scheme": "inter"}.
using RunOptions = std::map<std::string, nlohmann::json>;

/// The name as it is kept: '-' becomes '_'.
std::string option_key(std::string name);

/// Whether any model has an option of this name; whether this one has it. `exact` says whether the model does
/// without inducing points.
bool is_option(const std::string& key);
bool has_option(const std::string& model, bool exact, const std::string& key);
std::vector<std::string> options_of(const std::string& model, bool exact);

/// The value in its one canonical form; an InputError says what is allowed.
nlohmann::json check_option(const std::string& key, const nlohmann::json& value);

/// All options that the model has, those not given at their defaults: what the configuration of a run holds.
/// An InputError where a model lacks an option that is given, or where values do not go together.
nlohmann::json complete_options(const std::string& model, const RunOptions& given);

/// Those of them that say which run it is: options that came to gdkm after there were stores count only where
/// they differ from their default, so that runs from before them keep their identity.
nlohmann::json identifying_options(const nlohmann::json& options);
/// The other way: adds these options, at their defaults, where the model has them and nothing is said.
void add_later_options(const std::string& model, nlohmann::json& options);

}  // namespace gdkm
