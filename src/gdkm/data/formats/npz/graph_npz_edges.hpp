#pragma once

#include "gdkm/data/files/npz.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// The edges of an npz file, with their weights and types, and whether they have a direction, for a graph
/// whose nodes are known. Errors are InputErrors.
void read_graph_npz_edges(const NpzReader& archive, Graph& graph);

}  // namespace gdkm
