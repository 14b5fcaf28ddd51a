#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/graph/node_ranks.hpp"
#include "gdkm/linalg/csr.hpp"
#include "gdkm/support/shared_vector.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

struct Edge {
  std::int32_t from, to;
};

/// A graph as given: it may contain duplicate edges and self-loops. Two nodes may have edges of several
/// types.
struct Graph {
  Index nodes = 0;
  SharedVector<Edge> edges;
  SharedVector<float> weight;           // one per edge, positive and finite; empty if all weights are 1
  bool directed = false;                // an edge does not imply its reverse
  SharedVector<std::int32_t> type;      // one per edge, 0..types()−1; empty if edges have no types
  std::vector<std::string> type_names;  // one per type, "0", "1", … if types are just numbers

  int types() const { return static_cast<int>(type_names.size()); }
};

/// The nodes, and the edges of one type: a graph whose edges have no types.
Graph of_type(const Graph& graph, int type);

/// How a graph becomes an adjacency matrix.
struct AdjacencyOptions {
  bool keep_direction = false;  // in a directed graph: A_jk is the edge from k to j; otherwise A is symmetric
  bool use_weights = true;      // otherwise all weights are 1
  bool keep_self_loops = false;  // otherwise they are dropped

  bool operator==(const AdjacencyOptions&) const = default;
};

/// The adjacency matrix A. A duplicate edge counts once, with its largest weight; if A is symmetric, so does
/// an edge that is given in both directions. The work is split over `pool` if there is one.
Csr adjacency(const Graph& graph, const AdjacencyOptions& options = {}, ThreadPool* pool = nullptr);

/// Â_λ = λI + (1−λ) D^-½ (A + I) D^-½, D the row sums of A + I. An isolated node keeps Â_jj = 1.
Csr normalised_adjacency(const Csr& adjacency, double lambda);
/// The same without storing A as well, for graphs that nearly fill the memory. Where ranks share the graph,
/// only rows of own nodes are right.
Csr normalised_adjacency(const Graph& graph, double lambda, const AdjacencyOptions& options = {},
                         ThreadPool* pool = nullptr, const NodeRanks& shared = {});

/// The fraction of edges that join nodes with the same label, among edges between labelled nodes (not −1).
double edge_homophily(const Csr& adjacency, const std::vector<std::int32_t>& label);

/// The connected component of every node, ignoring direction. Components are numbered in the order of their
/// smallest nodes.
std::vector<std::int32_t> components(const Graph& graph);

}  // namespace gdkm
