#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/graph/features.hpp"

namespace gdkm {

/// `nodes` labels 0..classes−1 in random order, every class within one node of the same size.
std::vector<std::int32_t> balanced_labels(Index nodes, int classes, std::uint64_t seed);

/// Row i = signal·u_c + ε, c the label of i, u_c a random direction of unit length per class, ε ~ N(0, I).
Features gaussian_features(const std::vector<std::int32_t>& label, int classes, Index cols, double signal,
                           std::uint64_t seed);

}  // namespace gdkm
