#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Nodes without edges or features, with labels 0..classes−1 in random order; class sizes differ by at most
/// one. More classes than nodes are an InputError that names the generator.
Dataset labelled_nodes(const char* generator, Index nodes, Index classes, std::uint64_t seed);

/// Row i = signal·u_c + ε, where c is the label of i, u_c a random unit vector per class, and ε ~ N(0, I).
Features gaussian_features(const std::vector<std::int32_t>& label, int classes, Index cols, double signal,
                           std::uint64_t seed);

}  // namespace gdkm
