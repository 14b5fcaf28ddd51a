#pragma once

#include <CLI/CLI.hpp>

namespace gdkm::cli {

/// Adds `gdkm data export`: any data set becomes a folder of CSV files, or one .npz.
void add_data_export(CLI::App& data);

}  // namespace gdkm::cli
