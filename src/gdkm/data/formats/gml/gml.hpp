#pragma once

#include "gdkm/data/formats/shared/attributed_graph.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Whether a text begins like GML: `graph [`, perhaps after a creator, a version and comments.
bool looks_like_gml(std::string_view start);

/// Reads a GML file with one graph, as NetworkX, igraph and Gephi write it. Lists of numbers (a key that is
/// repeated) become attributes key[0], key[1], …; nested lists, such as graphics, are ignored. The weight of
/// an edge is `weight`, or `value` where there is none.
AttributedGraph read_gml(const Text& text);

}  // namespace gdkm
