#pragma once

#include <string>

#include "gdkm/settings/option.hpp"

namespace gdkm::cli {

/// The `gdkm train` command that repeats these settings: every option that has an effect and differs from its
/// default, or from what that comes to with data of this kind. Seeds and splits are those of the settings.
std::string train_command(const std::string& data, const std::string& data_dir, const Settings& settings,
                          const DataKind& kind);

}  // namespace gdkm::cli
