#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/support/text.hpp"

namespace gdkm {

/// A graph in which each line has a node and its neighbours, as NetworkX' write_adjlist writes it.
struct AdjacencyList {
  Text edges;                      // as CSV with tabs and a header: source, target
  std::vector<std::string> nodes;  // in natural order; some may have no edges
};

/// Reads an adjacency list; nothing where the text is none. A file that ends in .adjlist is one. Any other is
/// one if its lines differ in length, each begins with another node, and all neighbours have a line of their
/// own, as NetworkX has it. Its list over several lines (write_multiline_adjlist) is an InputError.
std::optional<AdjacencyList> read_adjacency_list(const Text& text);

}  // namespace gdkm
