#pragma once

#include <cstdint>
#include <vector>

namespace gdkm {

class Communicator;

/// Where ranks share the nodes of a graph: which rank has each node. False where one process has them all.
struct NodeRanks {
  const std::vector<std::int32_t>* owner = nullptr;
  Communicator* ranks = nullptr;

  explicit operator bool() const { return ranks != nullptr; }
  /// The nodes of this rank, ascending. A rank numbers its own rows in this order.
  std::vector<std::int32_t> own() const;
  /// The number of every node among those of its rank.
  std::vector<std::int32_t> numbers() const;
  /// `of_nodes` has a number of every node, of which a rank knows those of its own: puts in all others. All
  /// ranks call it. Does nothing where one process has all.
  void complete(std::vector<double>& of_nodes) const;
};

/// The nodes of one rank, ascending.
std::vector<std::int32_t> nodes_of(const std::vector<std::int32_t>& owner, int rank);

}  // namespace gdkm
