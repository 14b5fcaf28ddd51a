#pragma once

#include <string_view>

#include "gdkm/data/formats/shared/attributed_graph.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Reads a network of Pajek (.net), as NetworkX' write_pajek writes it too. Vertices are known by their
/// labels where these differ, else by their numbers. Keys and values behind the shape of a vertex are its
/// attributes; coordinates, shapes and Pajek's keys of drawing are left out. The name of a section of lines
/// (`*Arcs :1 "likes"`) is the type of its edges. Matrices, several networks, partitions and times are
/// refused.
AttributedGraph read_pajek(const Text& text);

/// Whether a text begins like such a file: its first line that is no comment has *vertices or *network.
bool looks_like_pajek(std::string_view start);

}  // namespace gdkm
