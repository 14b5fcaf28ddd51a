#pragma once

#include <CLI/CLI.hpp>

#include "gdkm/dataset/summary.hpp"

namespace gdkm::cli {

/// gdkm data info
void add_data_info(CLI::App& data);

/// Prints the properties of a data set, one per line.
void print_summary(const DatasetSummary& summary);

}  // namespace gdkm::cli
