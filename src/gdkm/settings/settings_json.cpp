#include "gdkm/settings/settings_json.hpp"

#include <cmath>
#include <limits>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::json;

Json number(double value) {
  return std::isinf(value) ? Json("inf") : Json(value);
}

OptionValue plain_value(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  return json.dump();
}

/// "inf", a number, or a list of these.
OptionValue per_layer(const Json& json) {
  if (!json.is_array()) return plain_value(json);
  std::vector<double> out;
  for (const Json& each : json) {
    const bool infinite = each.is_string() && each == "inf";
    if (!infinite && !each.is_number()) return json.dump();
    out.push_back(infinite ? std::numeric_limits<double>::infinity() : each.get<double>());
  }
  return out;
}

}  // namespace

Json to_json(const Option& option, const OptionValue& value) {
  if (const auto* list = std::get_if<std::vector<double>>(&value)) {
    if (list->empty()) return to_text(value);
    if (list->size() == 1) return number(list->front());
    Json out = Json::array();
    for (const double each : *list) out.push_back(number(each));
    return out;
  }
  const auto* whole = std::get_if<WholeType>(&option.type);
  if (whole != nullptr && !whole->zero.empty() && value == OptionValue(std::int64_t{0})) return whole->zero;
  return std::visit([](const auto& v) { return Json(v); }, value);
}

OptionValue value_from_json(const Option& option, const Json& json) {
  const bool list = std::holds_alternative<PerLayerType>(option.type);
  try {
    return checked(option.name, option.type, list ? per_layer(json) : plain_value(json));
  } catch (const OptionError& error) {  // as it stands in the file
    throw OptionError(option.name, json.dump(), error.problem(), error.remedy());
  }
}

nlohmann::ordered_json to_json(const Settings& settings) {
  nlohmann::ordered_json out;
  for (const Option& option : option_table()) {
    out[option.name] = to_json(option, option.get(settings));
    if (option.name == "pool") out["regression"] = settings.config.regression;  // the data's, not an option
    if (option.name == "relations" && settings.config.edge_types > 0)
      out["edge_types"] = settings.config.edge_types;
  }
  return out;
}

Settings settings_from_json(const nlohmann::ordered_json& json, ModelKind model, const std::string& where) {
  try {
    Settings out;
    out.model = model;
    for (const Option& option : option_table()) {
      if (!json.contains(option.name)) {
        if (option.later) {
          option.set(out, value_before(option, model));
          continue;
        }
        throw InputError("'" + option.name + "' is missing");
      }
      option.set(out, value_from_json(option, json.at(option.name)));
    }
    out.config.regression = json.value("regression", false);
    out.config.edge_types = json.value("edge_types", Index{0});
    return out;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(where + ": the options cannot be read (" + error.what() + ")");
  } catch (const InputError& error) {
    throw InputError(where + ": the options cannot be used: " + error.message());
  }
}

}  // namespace gdkm
