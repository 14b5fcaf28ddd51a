#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Sparse 0/1 features from a JSON object: node number, as a string, to the list of the features that are 1
/// for it. A feature listed twice counts once; a node that is not there has none.
Features read_musae_features(const Text& text, Index nodes);

}  // namespace gdkm
