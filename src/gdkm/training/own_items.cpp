#include "gdkm/training/own_items.hpp"

#include <numeric>

#include "gdkm/graph/node_ranks.hpp"
#include "gdkm/graph/partition.hpp"

namespace gdkm {

OwnItems own_items(const Part& part, const std::vector<std::int32_t>& items, const Communicator* ranks) {
  OwnItems out;
  out.all = static_cast<Index>(items.size());
  const std::vector<std::int32_t>& owner = part.graph_start.empty() ? part.owner : part.graph_owner;
  std::vector<std::int32_t> row(owner.size(), -1);
  std::int32_t rows = 0;
  for (std::size_t k = 0; ranks != nullptr && k < owner.size(); ++k) {
    if (owner[k] == ranks->rank()) row[k] = rows++;
  }
  for (std::size_t k = 0; k < items.size(); ++k) {
    const std::int32_t at = ranks == nullptr ? items[k] : row[static_cast<std::size_t>(items[k])];
    if (at < 0) continue;
    out.row.push_back(at);
    out.place.push_back(static_cast<std::int32_t>(k));
  }
  return out;
}

OwnItems own_items(const Part& part, const Communicator* ranks) {
  std::vector<std::int32_t> all(part.graph_start.empty() ? part.nodes.size() : part.graph_start.size() - 1);
  std::iota(all.begin(), all.end(), 0);
  return own_items(part, all, ranks);
}

Problem share_out(const Problem& problem, const std::vector<std::int32_t>& train, Communicator& ranks,
                  bool own_rows_alone) {
  Problem out = problem;
  out.ranks = ranks.size();
  if (problem.task == Task::graph) return out;
  if (problem.owner.empty()) {
    if (ranks.is_first()) out.owner = owners_of_nodes(problem.relations, train, ranks.size());
    out.owner = that_of_the_first(ranks, std::move(out.owner));
  }
  if (!own_rows_alone || out.own_rows_alone) return out;
  out.own_rows_alone = true;
  const auto own = nodes_of(out.owner, ranks.rank());
  out.features = select_rows(out.features, own);
  out.relations = rows_of(out.relations, own);
  return out;
}

}  // namespace gdkm
