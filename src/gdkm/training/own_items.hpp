#pragma once

#include "gdkm/ranks/collect.hpp"
#include "gdkm/training/problem.hpp"

namespace gdkm {

/// Which of some items this rank has: their rows in its networks, and their places in the list of all.
struct OwnItems {
  std::vector<std::int32_t> row, place;
  Index all = 0;

  template <class V>
  std::vector<V> select(const std::vector<V>& of_all) const {
    std::vector<V> out;
    for (const auto k : place) out.push_back(of_all[static_cast<std::size_t>(k)]);
    return out;
  }
  /// Rows of `width` numbers, one for each own item, as those of all items. All ranks call it.
  std::vector<double> collect(const std::vector<double>& own, Index width, Communicator* ranks) const {
    return ranks == nullptr ? own
                            : gather_rows(*ranks, own, static_cast<std::size_t>(width), place,
                                          static_cast<std::size_t>(all));
  }
};

/// `items` are nodes or graphs of the part, by its numbers. Without ranks all are own.
OwnItems own_items(const Part& part, const std::vector<std::int32_t>& items, const Communicator* ranks);
/// The same of all items of the part, in their order.
OwnItems own_items(const Part& part, const Communicator* ranks);

/// The problem as ranks share it: graphs are shared out within each batch, nodes by owners_of_nodes. With
/// `own_rows_alone` a rank keeps the rows of its own nodes, which is all that steps over the whole graph
/// need. All ranks call it.
Problem share_out(const Problem& problem, const std::vector<std::int32_t>& train, Communicator& ranks,
                  bool own_rows_alone);

}  // namespace gdkm
