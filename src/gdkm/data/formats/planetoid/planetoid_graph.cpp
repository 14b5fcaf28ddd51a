#include "gdkm/data/formats/planetoid/planetoid_graph.hpp"

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

const PickleDict& expect_dict(const Pickle& pickle) {
  const auto* dict = pickle.get<PickleDict>(pickle.root());
  if (dict != nullptr) return *dict;
  refuse("{}: is not a dict of lists of neighbours; fetch the published file", pickle.where());
}

std::int32_t node(const Pickle& pickle, PickleId id, Index nodes) {
  const auto* number = pickle.get<std::int64_t>(id);
  if (number == nullptr)
    refuse("{}: expected an integer as node; number nodes 0..{}", pickle.where(), nodes - 1);
  if (*number < 0 || *number >= nodes) {
    refuse("{}: refers to node {}, but the other files have nodes 0..{}; fetch all files again",
           pickle.where(), *number, nodes - 1);
  }
  return static_cast<std::int32_t>(*number);
}

}  // namespace

Index count_listed_nodes(const Pickle& pickle) {
  return static_cast<Index>(expect_dict(pickle).items.size());
}

std::vector<Edge> pickled_edges(const Pickle& pickle, Index nodes) {
  std::vector<Edge> out;
  std::vector<bool> is_listed(static_cast<std::size_t>(nodes), false);
  for (const auto& [key, value] : expect_dict(pickle).items) {
    const std::int32_t from = node(pickle, key, nodes);
    if (is_listed[from]) refuse("{}: node {} is listed twice; merge its two lists", pickle.where(), from);
    is_listed[from] = true;
    const auto* list = pickle.get<PickleList>(value);
    if (list == nullptr)
      refuse("{}: node {} has no list of neighbours; store one, even if it is empty", pickle.where(), from);
    // Each neighbour takes at least one byte, unless nodes share a list to blow up a small file.
    if (list->items.size() > pickle.file_size() - out.size()) {
      refuse("{}: has more edges than bytes, because nodes share lists; store one list per node",
             pickle.where());
    }
    for (const PickleId item : list->items) out.push_back({from, node(pickle, item, nodes)});
  }
  return out;
}

}  // namespace gdkm
