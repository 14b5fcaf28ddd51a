#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"
#include "gdkm/support/text.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// Reads a Matrix Market file (.mtx) as an adjacency matrix: `coordinate`, of `real`, `integer` or `pattern`
/// entries, square, nodes from 1. `general` means directed, from row to column; `symmetric` undirected.
/// Weights are kept unless all are 1; entries of 0 are no edges, negative ones are refused. Failures are
/// InputErrors naming file, line and remedy.
Graph read_matrix_market_graph(const Text& text, ThreadPool& pool);

/// Reads a Matrix Market file as features, one row per node: `coordinate` gives sparse features (repeated
/// entries are added), `array` dense ones.
Features read_matrix_market_features(const Text& text, Index nodes, ThreadPool& pool);

}  // namespace gdkm
