#pragma once

#include "gdkm/graph/features.hpp"

namespace gdkm {

/// All degrees from this one on share a column.
inline constexpr Index most_degree = 16;

/// X with `most_degree` + 1 more columns: a one-hot encoding of the number of a node's neighbours in A, not
/// counting itself. Useful for graphs with few features, such as molecules.
Features with_degrees(const Features& x, const Csr& adjacency);

}  // namespace gdkm
