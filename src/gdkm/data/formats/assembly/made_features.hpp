#pragma once

#include <string>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// What nodes without features get: the one-hot code of their degree, that of their own number, or a 1.
enum class MadeFeatures { degree, identity, ones };

/// Degrees are numbers of different neighbours, direction and self-loops aside; 1000 and more share a column,
/// so that a hub does not make a matrix wide.
Features make_features(const Graph& graph, MadeFeatures kind);

}  // namespace gdkm
