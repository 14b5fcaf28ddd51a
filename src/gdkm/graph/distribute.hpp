#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/node_ranks.hpp"
#include "gdkm/graph/relation.hpp"
#include "gdkm/linalg/halo.hpp"
#include "gdkm/ranks/communicator.hpp"

namespace gdkm {

/// What this rank has of a square matrix over all nodes. `matrix` has all rows, or those of own nodes alone.
/// All ranks call it.
DistributedCsr distribute(const Csr& matrix, const NodeRanks& shared);

/// Tells other ranks which of their rows this one needs, and learns which of its own they need. `needed` has
/// the rows of each rank, by that rank's numbers; none of its own. All ranks call it.
Halo make_halo(const std::vector<std::vector<std::int32_t>>& needed, Communicator& ranks);

/// Rows of features, one for each of `nodes`, from the ranks that have them: `own` has the rows of this
/// rank's nodes. All ranks call it, each with the nodes that it wants, which may come twice.
Features fetch_rows(const Features& own, const std::vector<std::int32_t>& nodes, const NodeRanks& shared);

/// The nodes within `hops` steps of `seeds` by any of the relations, ascending, where a rank has the rows of
/// its own nodes alone. All ranks call it with the same seeds and get the same.
std::vector<std::int32_t> neighbourhood(const Relations& own, const std::vector<std::int32_t>& seeds,
                                        int hops, const NodeRanks& shared);

/// The distinct columns in which any of the matrices has an entry, ascending.
std::vector<std::int32_t> columns_of(const Relations& relations);

}  // namespace gdkm
