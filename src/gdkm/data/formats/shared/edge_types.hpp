#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// A model has one relation per type, so more than this many are something else: times, ids, remarks.
inline constexpr int most_edge_types = 10'000;

/// Types of edges as a file spells them, one after another. They are numbered in natural order of their
/// names, whatever the order of the edges.
class EdgeTypes {
 public:
  /// The type of the next edge. An empty name, and one type too many, are InputErrors without a place.
  void add(std::string_view name);
  /// Adds the edges of `more`, which follow.
  void append(const EdgeTypes& more);

  bool empty() const { return type_.empty(); }
  /// The types that occur, sorted by bytes.
  std::vector<std::string_view> names() const;
  /// Sets the types of a graph that has these edges.
  void give_to(Graph& graph) const;

 private:
  std::int32_t number(std::string_view name);

  std::map<std::string, std::int32_t, std::less<>> number_;
  std::vector<std::int32_t> type_;
};

}  // namespace gdkm
