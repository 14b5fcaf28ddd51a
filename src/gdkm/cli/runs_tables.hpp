#pragma once

#include <string>
#include <vector>

#include "gdkm/store/store.hpp"

namespace gdkm::cli {

/// A line per run; of the options only those of which runs that have them have different values.
std::string run_list(const std::vector<Run>& runs);
/// Everything that is known of one.
std::string run_details(const Store& store, const Run& run);
/// Side by side: the options in which they differ, then results.
std::string run_comparison(const std::vector<Run>& runs);
/// A line per combination of values of `options`: mean ± standard deviation over its runs.
std::string run_groups(const std::vector<Run>& runs, const std::vector<std::string>& options);

}  // namespace gdkm::cli
