#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// The edges of a graph that need not fit into memory: calls visit(from, to) for each, as often as it is
/// asked to. Directions do not matter, and self-loops are skipped.
using EdgeStream = std::function<void(const std::function<void(Index, Index)>& visit)>;

struct StreamPartitionOptions {
  int parts = 2;
  int passes = 3;
  double slack = 0.03;                        // a part may be so much larger than the mean
  std::size_t memory = std::size_t{1} << 30;  // bytes for the edges that are held at a time
};

/// Which part each node belongs to, by linear deterministic greedy (Stanton & Kliot, 2012), streamed again
/// (Nishimura & Ugander, 2013): nodes are placed one by one, each in the part that has most of its
/// neighbours, less where that part is nearly full. In later passes the neighbours that are not placed yet
/// count where they were.
///
/// Memory is 4 bytes a node and what the options allow for edges: where that does not hold all of them, the
/// stream is read several times in a pass, for one range of nodes each. The result does not depend on it.
std::vector<std::int32_t> stream_partition(const EdgeStream& edges, Index nodes,
                                           const StreamPartitionOptions& options);

/// The number of edges between parts.
Index count_cut(const EdgeStream& edges, const std::vector<std::int32_t>& part);

}  // namespace gdkm
