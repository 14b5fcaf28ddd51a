#pragma once

#include "gdkm/data/formats/shared/attributed_graph.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Reads a GEXF file, as Gephi and NetworkX write it. Attributes are called by their titles; a node's label
/// is the attribute "label". Colours, positions and sizes are ignored. Hierarchies and graphs that change
/// with time are refused.
AttributedGraph read_gexf(const Text& text);

}  // namespace gdkm
