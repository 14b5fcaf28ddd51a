#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// Features for nodes that have none: their degree (one-hot), their own number (one-hot), or a constant 1.
enum class DefaultFeatures { degree, identity, ones };

/// The degree counts distinct neighbours and ignores direction and self-loops. Degrees of 1000 and more share
/// one column, so that a hub does not make the matrix wide.
Features make_default_features(const Graph& graph, DefaultFeatures kind);

}  // namespace gdkm
