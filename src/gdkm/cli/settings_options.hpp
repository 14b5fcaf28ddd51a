#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>

#include "gdkm/settings/settings.hpp"

namespace gdkm::cli {

/// Adds options of the table to a command: those in `names`, or all. What the user gives goes into
/// `settings`, and the names of what was given into `given`, where that is wanted.
void add_settings_options(CLI::App& command, Settings& settings, std::set<std::string>* given = nullptr,
                          const std::set<std::string>& names = {});

}  // namespace gdkm::cli
