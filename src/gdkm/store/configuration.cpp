#include "gdkm/store/configuration.hpp"

#include <fmt/format.h>

#include "gdkm/data/files/sha256.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/store/run_options.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

std::string Configuration::canonical() const {
  const nlohmann::json out{{"dataset", dataset}, {"data", data},
                           {"model", model},     {"options", identifying_options(model, options)},
                           {"seed", seed},       {"split", split}};
  return out.dump();
}

std::string Configuration::hash() const {
  return sha256_of(canonical());
}

std::string Configuration::option(const std::string& name) const {
  const auto at = options.find(name);
  return at == options.end() ? "" : option_text(*at);
}

std::string option_text(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& each : value) parts.push_back(option_text(each));
  return fmt::format("{}", fmt::join(parts, ","));
}

Configuration configuration_from(const std::string& canonical, const DataKind& data) {
  try {
    const auto json = nlohmann::json::parse(canonical);
    Configuration out{json.at("dataset"), json.at("data"), json.at("model"),
                      json.at("options"), json.at("seed"), json.at("split")};
    add_later_options(out.model, out.options, data);
    return out;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(
        fmt::format("a run of the store has no usable configuration ({}); remove it with "
                    "gdkm runs rm",
                    error.what()));
  }
}

Settings settings_of(const Configuration& configuration) {
  Settings out;
  out.model = model_named(configuration.model);
  for (const auto& [name, value] : configuration.options.items()) {
    const Option* option = find_option(name);
    if (option == nullptr)
      throw InputError(
          fmt::format("{}: the run has an option '{}' that this gdkm does not know; use the later one",
                      configuration.dataset, name));
    option->set(out, value_from_json(*option, value));
  }
  out.training.seed = configuration.seed;
  return out;
}

}  // namespace gdkm
