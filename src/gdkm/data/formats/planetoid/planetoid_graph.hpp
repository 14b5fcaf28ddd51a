#pragma once

#include "gdkm/data/formats/pickle/pickle.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// The number of keys of a pickled dict from nodes to lists of neighbours.
Index count_listed_nodes(const Pickle& pickle);

/// The edges of that dict in file order, each as often as it is listed. Nodes are 0..nodes−1.
std::vector<Edge> pickled_edges(const Pickle& pickle, Index nodes);

}  // namespace gdkm
