#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/graph/features.hpp"

namespace gdkm {

/// `nodes` labels 0..classes−1 in random order; class sizes differ by at most one.
std::vector<std::int32_t> balanced_labels(Index nodes, int classes, std::uint64_t seed);

/// Row i = signal·u_c + ε, where c is the label of i, u_c a random unit vector per class, and ε ~ N(0, I).
Features gaussian_features(const std::vector<std::int32_t>& label, int classes, Index cols, double signal,
                           std::uint64_t seed);

}  // namespace gdkm
