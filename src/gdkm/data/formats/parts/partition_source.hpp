#pragma once

#include <functional>
#include <span>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// A graph that is to be cut into parts, and need not fit into memory.
struct PartitionSource {
  Dataset head;  // all but edges and dense features; weights and types of edges, if there are any
  Index edge_count = 0;
  Index feature_cols = 0;
  /// Calls visit(edge, its number) for every edge, as often as it is asked to.
  std::function<void(const std::function<void(Edge, std::size_t)>& visit)> edges;
  /// Calls visit(node, its features) for every node in its order, unless head.features are sparse.
  std::function<void(const std::function<void(Index, std::span<const float>)>& visit)> rows;

  bool is_sparse() const { return head.features.is_sparse; }
};

/// A data set in memory, which must outlive it.
PartitionSource source_of(const Dataset& dataset);

}  // namespace gdkm
