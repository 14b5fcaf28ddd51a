#pragma once

#include <string>
#include <vector>

#include "gdkm/fitting/run_result.hpp"

namespace gdkm::cli {

/// The results of some runs as a table: a line each, and mean ± standard deviation.
std::string run_table(const std::string& title, const std::vector<RunResult>& runs);

}  // namespace gdkm::cli
