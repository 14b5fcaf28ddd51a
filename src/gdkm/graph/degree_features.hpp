#pragma once

#include "gdkm/graph/features.hpp"

namespace gdkm {

/// Degrees from here on share a column.
inline constexpr Index most_degree = 16;

/// X with `most_degree` + 1 columns behind its own: a 1 in the one that belongs to the number of a node's
/// neighbours in A, itself aside. For graphs of which the features say little, such as molecules.
Features with_degrees(const Features& x, const Csr& adjacency);

}  // namespace gdkm
