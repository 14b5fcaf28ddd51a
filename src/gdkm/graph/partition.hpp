#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "gdkm/graph/relation.hpp"

namespace gdkm {

/// Which of `parts` parts each node belongs to, by METIS: parts are about as large, and few edges run between
/// them. `work` has what parts are balanced by, each a number >= 0 for every node; without it they are
/// balanced by the number of nodes. Parts may be empty. Where there are no fewer parts than nodes, every node
/// has its own.
std::vector<std::int32_t> partition_graph(const Relations& relations, int parts, std::uint64_t seed,
                                          const std::vector<std::vector<std::int32_t>>& work = {});

/// What METIS of most systems counts to.
inline constexpr Index most_entries_for_metis = std::numeric_limits<std::int32_t>::max();

/// Which rank each node belongs to, so that ranks have about as many nodes, entries of relations and labels
/// of `train` each, and few edges between them: by METIS, or, where there are too many entries for it, by
/// stream_partition, which balances nodes alone.
std::vector<std::int32_t> owners_of_nodes(const Relations& relations, const std::vector<std::int32_t>& train,
                                          int ranks, Index most_entries = most_entries_for_metis);

}  // namespace gdkm
