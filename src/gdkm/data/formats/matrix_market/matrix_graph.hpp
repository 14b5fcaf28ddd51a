#pragma once

#include <string>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// The graph of an adjacency matrix without explicit zeros: of a symmetric one undirected, each edge once;
/// of another directed, from row to column. Weights are kept unless all are 1. Weights that are negative, or
/// not finite, are InputErrors that begin with `where`.
Graph graph_from_matrix(const std::string& where, const Csr& matrix);

/// Sparse features, without those that are 0; each must be finite as a float32.
Features features_from_matrix(const std::string& where, Csr matrix);

}  // namespace gdkm
