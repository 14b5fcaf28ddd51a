#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"
#include "gdkm/support/text.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// Reads a Matrix Market file (.mtx) as an adjacency matrix: square, `coordinate`, with `real`, `integer` or
/// `pattern` entries and nodes from 1. `general` gives a directed graph, from row to column; `symmetric` an
/// undirected one. Weights are kept unless all are 1. Entries of 0 are not edges; negative ones are refused.
/// Failures are InputErrors that name file, line and remedy.
Graph read_matrix_market_graph(const Text& text, ThreadPool& pool);

/// Reads a Matrix Market file as features, one row per node: `coordinate` gives sparse features (repeated
/// entries are summed), `array` dense ones.
Features read_matrix_market_features(const Text& text, Index nodes, ThreadPool& pool);

}  // namespace gdkm
