#pragma once

#include "gdkm/data/formats/shared/attributed_graph.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Reads JSON with `nodes` and `links` (or `edges`), as NetworkX' node_link_data and d3 have it. Nodes are
/// called by their `id`; without ids, links name them by position. Lists of numbers become attributes x[0],
/// x[1], …; other lists and objects are ignored.
AttributedGraph read_node_link(const Text& text);

}  // namespace gdkm
