#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gdkm/settings/option.hpp"

namespace gdkm {

/// Values of options in JSON and TOML: numbers, texts, true and false; ∞ is "inf".
nlohmann::json to_json(const Option& option, const OptionValue& value);
/// The inverse; an OptionError says what is allowed.
OptionValue value_from_json(const Option& option, const nlohmann::json& json);

/// {"nu": …, "scheme": …}: all options under their names.
nlohmann::ordered_json to_json(const Settings& settings);
/// The inverse; an InputError that starts with `where` when a value is missing or impossible. Options that
/// came later than the file have what files of that model meant before them (value_before).
Settings settings_from_json(const nlohmann::ordered_json& json, ModelKind model, const std::string& where);

}  // namespace gdkm
