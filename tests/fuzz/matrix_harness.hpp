#pragma once

/// Readers of matrices in a single file, which is the input as it stands.

#include <string>
#include <string_view>
#include <vector>

namespace gdkm::fuzzing {

bool run_matlab(std::string_view input);
std::vector<std::string> matlab_seeds();

bool run_matrix_market(std::string_view input);
std::vector<std::string> matrix_market_seeds();

}  // namespace gdkm::fuzzing
