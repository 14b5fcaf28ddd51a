#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// Columns for the colours of one round.
inline constexpr Index colour_columns = 2048;

/// X with `rounds` · `colour_columns` more columns, sparse: Weisfeiler–Lehman colours of nodes, one-hot for
/// each round.
///
/// Nodes with equal rows of X have the same colour at first. In each round a node's next colour is a hash of
/// its colour and of those of its neighbours, in order, with the types of the edges if they have any. So two
/// nodes have the same colour after r rounds if the trees of walks of r edges from them are alike. A colour's
/// column is its hash modulo `colour_columns`: nothing is learned from the data, and other graphs get the
/// same columns. Rarely two colours share one.
///
/// Rows of X are scaled as `how` says (l2 or sum, else left), so that X and each round have equal shares.
Features with_colours(const Features& x, const Graph& graph, const AdjacencyOptions& options, int rounds,
                      Normalisation how);

}  // namespace gdkm
