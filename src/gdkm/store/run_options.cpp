#include "gdkm/store/run_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::json;

const Option* run_option(const std::string& key) {
  const Option* found = find_option(key);
  return found != nullptr && found->identifies ? found : nullptr;
}

Json before(const Option& option, const std::string& model) {
  return to_json(option, value_before(option, model_named(model)));
}

}  // namespace

std::string option_key(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

bool is_option(const std::string& key) {
  return run_option(key) != nullptr;
}

bool has_option(const std::string& model, ModelForm form, const std::string& key) {
  const Option* option = run_option(key);
  return option != nullptr && model_has(*option, model_named(model), form);
}

std::vector<std::string> options_of(const std::string& model, ModelForm form) {
  std::vector<std::string> out;
  for (const Option& option : option_table()) {
    if (has_option(model, form, option.name)) out.push_back(option.name);
  }
  return out;
}

ModelForm form_of(const RunOptions& options) {
  const auto is_on = [&](const char* flag) {
    const auto at = options.find(flag);
    return at != options.end() && at->second == true;
  };
  if (is_on("exact")) return ModelForm::exact;
  return is_on("landmarks") ? ModelForm::landmarks : ModelForm::inducing;
}

Json check_option(const std::string& key, const Json& value) {
  const Option& option = *run_option(key);
  return to_json(option, value_from_json(option, value));
}

Settings run_settings(const std::string& model, const RunOptions& given, const DataKind& data) {
  Settings out;
  out.model = model_named(model);
  const ModelForm form = form_of(given);
  for (const auto& [key, value] : given) {
    if (!has_option(model, form, key)) {
      const char* of_form = form == ModelForm::exact       ? "an exact "
                            : form == ModelForm::landmarks ? "a landmark "
                                                           : "";
      throw InputError(fmt::format("{}{} has no option '{}'; it has {}", of_form, model, key,
                                   fmt::join(options_of(model, form), ", ")));
    }
    const Option& option = *run_option(key);
    option.set(out, value_from_json(option, value));
  }
  check_settings(out, data);
  return out;
}

Json effective_options(const Settings& settings, const DataKind& data) {
  Json out = Json::object();
  for (const Option& option : option_table()) {
    if (option.identifies && lack_of_effect(option, settings, data).empty())
      out[option.name] =
          to_json(option, option.resolved ? option.resolved(settings, data) : option.get(settings));
  }
  // The nngp is the dkm at ν = ∞, and stands on its curve.
  if (settings.model == ModelKind::nngp) out["nu"] = "inf";
  return out;
}

Json complete_options(const std::string& model, const RunOptions& given, const DataKind& data) {
  return effective_options(run_settings(model, given, data), data);
}

Json identifying_options(const std::string& model, const Json& options) {
  Json out = options;
  for (const Option& option : option_table()) {
    if (!option.later || !option.identifies) continue;
    if (const auto at = out.find(option.name); at != out.end() && *at == before(option, model)) out.erase(at);
  }
  return out;
}

void add_later_options(const std::string& model, Json& options, const DataKind& data) {
  const ModelForm form = form_of(options.get<RunOptions>());
  Settings settings;
  settings.model = model_named(model);
  for (const auto& [name, value] : options.items()) {
    if (const Option* option = find_option(name)) option->set(settings, value_from_json(*option, value));
  }
  for (const Option& option : option_table()) {
    const bool lacks = option.later && has_option(model, form, option.name) && !options.contains(option.name);
    if (!lacks) continue;
    option.set(settings, value_before(option, settings.model));
    // As complete_options leaves it out, where it has no effect.
    if (lack_of_effect(option, settings, data).empty()) options[option.name] = before(option, model);
  }
}

}  // namespace gdkm
