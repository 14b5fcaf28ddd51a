#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Sparse 0/1 features from a JSON object that maps each node number (a string) to the list of its features.
/// A feature listed twice counts once; a node that is not listed has none.
Features read_musae_features(const Text& text, Index nodes);

}  // namespace gdkm
