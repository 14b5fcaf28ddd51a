#pragma once

#include "gdkm/data/formats/pickle/pickle.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// How many nodes a pickled dict of lists of neighbours has as keys.
Index count_listed_nodes(const Pickle& pickle);

/// The edges of that dict in the order of the file, each as often as it is listed. Nodes are 0..nodes−1.
std::vector<Edge> pickled_edges(const Pickle& pickle, Index nodes);

}  // namespace gdkm
