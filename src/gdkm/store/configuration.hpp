#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gdkm/settings/option.hpp"
#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// What a run is: two with the same configuration are the same run. Threads and device are no part of it, as
/// they change results by rounding alone; they belong to its environment.
struct Configuration {
  std::string dataset;     // as the user names it
  std::string data;        // fingerprint of what was found under that name
  std::string model;       // dkm, nngp or gcn
  nlohmann::json options;  // those that the model has, under the names of the command line
  std::uint64_t seed = 0;
  int split = 0;

  /// As JSON without spaces, keys in order; of the options those that identify it (store/run_options.hpp).
  std::string canonical() const;
  /// SHA-256 of that.
  std::string hash() const;
  /// The value of an option as people write it: "inf", "0.01", "true"; "" where the model has none.
  std::string option(const std::string& name) const;
};

/// `data`: what is known of the data, where options may have no effect on it.
Configuration configuration_from(const std::string& canonical, const DataKind& data = {});

/// A value of an option as people write it.
std::string option_text(const nlohmann::json& value);

/// What training needs; options that the configuration does not have keep their defaults.
Settings settings_of(const Configuration& configuration);

}  // namespace gdkm
