#pragma once

#include <string>
#include <vector>

#include "gdkm/fitting/run_result.hpp"

namespace gdkm::cli {

/// A table of results: one line per run, and mean ± standard deviation.
std::string run_table(const std::string& title, const std::vector<RunResult>& runs);

}  // namespace gdkm::cli
