#pragma once

#include <CLI/CLI.hpp>

namespace gdkm::cli {

/// Adds `gdkm data export`, which writes a data set as a folder of CSV files or as one .npz.
void add_data_export(CLI::App& data);

}  // namespace gdkm::cli
