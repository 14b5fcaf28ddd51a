#include "gdkm/graph/node_ranks.hpp"

#include <algorithm>

#include "gdkm/ranks/collect.hpp"

namespace gdkm {

std::vector<std::int32_t> nodes_of(const std::vector<std::int32_t>& owner, int rank) {
  std::vector<std::int32_t> out;
  out.reserve(static_cast<std::size_t>(std::count(owner.begin(), owner.end(), rank)));
  for (std::size_t node = 0; node < owner.size(); ++node) {
    if (owner[node] == rank) out.push_back(static_cast<std::int32_t>(node));
  }
  return out;
}

std::vector<std::int32_t> NodeRanks::own() const {
  return nodes_of(*owner, ranks->rank());
}

std::vector<std::int32_t> NodeRanks::numbers() const {
  std::vector<std::int32_t> out(owner->size()), count(static_cast<std::size_t>(ranks->size()), 0);
  for (std::size_t node = 0; node < owner->size(); ++node)
    out[node] = count[static_cast<std::size_t>((*owner)[node])]++;
  return out;
}

void NodeRanks::complete(std::vector<double>& of_nodes) const {
  if (ranks == nullptr) return;
  const auto nodes = own();
  std::vector<double> mine;
  for (const auto node : nodes) mine.push_back(of_nodes[static_cast<std::size_t>(node)]);
  of_nodes = gather_rows(*ranks, mine, 1, nodes, of_nodes.size());
}

}  // namespace gdkm
