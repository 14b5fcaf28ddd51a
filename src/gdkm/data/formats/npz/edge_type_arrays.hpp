#pragma once

#include "gdkm/data/files/npz.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// Reads edge_type [E], numbers from 0, and edge_type_names, if they exist, for a graph that has its edges.
/// Without names types are called "0", "1", … Errors are InputErrors.
void read_edge_types(const NpzReader& archive, Graph& graph);

}  // namespace gdkm
