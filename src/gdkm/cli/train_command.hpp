#pragma once

#include <string>

#include "gdkm/settings/settings.hpp"

namespace gdkm::cli {

/// The `gdkm train` command that repeats these settings: every option that differs from its default and has
/// an effect. Seeds and splits are those of the settings.
std::string train_command(const std::string& data, const std::string& data_dir, const Settings& settings);

}  // namespace gdkm::cli
