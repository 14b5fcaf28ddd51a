#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// More columns of structure than this are hashed into as many.
inline constexpr Index most_structure_columns = 8192;

/// Rows of A as features: [A], or [A_in, A_out] if the graph has directions, where row j of A_in has what
/// points at j and row j of A_out where j points. So two nodes are alike if they have neighbours in common.
///
/// A column that fewer than two nodes have is left out, because it says nothing about other nodes. The others
/// are divided by the square root of their sums, because a neighbour that many nodes have says less. Then
/// every row of a block is scaled to length 1. If there are more than `most_structure_columns` = k columns,
/// column c is added with the sign s(c) to column h(c) of k, s and h fixed hashes (count sketch). The inner
/// product of two rows is then right on average, with a variance of at most 2/k times the square of their
/// lengths.
Csr structure_of(const Graph& graph, const AdjacencyOptions& options);

/// [X, S], sparse: the features and the structure S of the graph. The rows of X and of each block of S are
/// scaled as `how` says before they stand side by side, so that each has its share of an inner product;
/// without scaling (none), rows of S get the root mean square length of the rows of X.
Features with_structure(const Features& x, const Graph& graph, const AdjacencyOptions& options,
                        Normalisation how);

}  // namespace gdkm
