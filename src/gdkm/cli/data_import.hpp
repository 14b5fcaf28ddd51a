#pragma once

#include <CLI/CLI.hpp>

namespace gdkm::cli {

/// Adds `gdkm data import`, which converts other files to one .npz.
void add_data_import(CLI::App& data);

}  // namespace gdkm::cli
