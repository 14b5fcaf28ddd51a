#pragma once

#include <CLI/CLI.hpp>

namespace gdkm::cli {

/// Adds `gdkm data import`: people's own files become one .npz.
void add_data_import(CLI::App& data);

}  // namespace gdkm::cli
