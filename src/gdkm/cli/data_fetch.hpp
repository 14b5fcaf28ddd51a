#pragma once

#include <CLI/CLI.hpp>

namespace gdkm::cli {

/// Adds `fetch` to `gdkm data`.
void add_data_fetch(CLI::App& data);

}  // namespace gdkm::cli
