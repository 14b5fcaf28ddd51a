#pragma once

/// Readers of .npz. An input is a container of arrays (see container.hpp).

#include <string>
#include <string_view>
#include <vector>

namespace gdkm::fuzzing {

bool run_graph_npz(std::string_view input);
std::vector<std::string> graph_npz_seeds();

bool run_pyg_npz(std::string_view input);
std::vector<std::string> pyg_npz_seeds();

bool run_reddit(std::string_view input);
std::vector<std::string> reddit_seeds();

}  // namespace gdkm::fuzzing
