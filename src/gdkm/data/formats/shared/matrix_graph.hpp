#pragma once

#include <string>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// The graph of an adjacency matrix without explicit zeros. A symmetric matrix gives an undirected graph with
/// each edge once; any other gives a directed graph, from row to column. Weights are kept unless all are 1.
/// Negative or non-finite weights are InputErrors that begin with `where`.
Graph graph_from_matrix(const std::string& where, const Csr& matrix);

/// Sparse features without their zeros. Every value must be finite as a float32.
Features features_from_matrix(const std::string& where, Csr matrix);

}  // namespace gdkm
