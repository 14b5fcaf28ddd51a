#pragma once

#include "gdkm/data/formats/shared/attributed_graph.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Reads a GraphML file with one graph. Attributes are called by their names, or by their ids where they have
/// none. Where edges differ in direction, `directed` must say what they are. Nested graphs, hyperedges and
/// ports are refused.
AttributedGraph read_graphml(const Text& text, std::optional<bool> directed);

}  // namespace gdkm
