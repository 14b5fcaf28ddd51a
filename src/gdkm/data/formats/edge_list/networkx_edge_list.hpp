#pragma once

#include "gdkm/support/text.hpp"

namespace gdkm {

/// Whether a text is a list of edges as NetworkX writes it: two nodes and a Python dict in each line, as in
/// `ann bob {'weight': 0.5}`.
bool is_networkx_edge_list(const Text& text);

/// The same edges as CSV with tabs and a header: source, target, and one column for each key. An edge without
/// the key 'weight' has weight 1, as NetworkX has it.
Text networkx_edge_list_as_csv(const Text& text);

}  // namespace gdkm
