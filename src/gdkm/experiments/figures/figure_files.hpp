#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "gdkm/experiments/figures/figure.hpp"

namespace gdkm {

/// Writes NAME.svg, NAME.png and NAME.csv into `folder`, which it creates if needed, and returns their paths
/// in that order. Without the program that makes PNG files it writes the others and warns once.
std::vector<std::filesystem::path> write_figure(const Figure& figure, const std::filesystem::path& folder,
                                                const std::function<void(const std::string&)>& warn);

}  // namespace gdkm
