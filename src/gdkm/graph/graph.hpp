#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/linalg/csr.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

struct Edge {
  std::int32_t from, to;
};

/// A graph as it was given: duplicate edges and self-loops may still be there.
struct Graph {
  Index nodes = 0;
  std::vector<Edge> edges;
  std::vector<float> weight;  // one per edge, positive and finite, or empty where all weigh 1
  bool directed = false;      // an edge is its own statement, and says nothing of its reverse
};

/// How a graph becomes a matrix.
struct AdjacencyOptions {
  bool keep_direction = false;   // of a directed graph: row j holds what points at j; else A is symmetric
  bool use_weights = true;       // else all edges weigh 1
  bool keep_self_loops = false;  // else they are dropped

  bool operator==(const AdjacencyOptions&) const = default;
};

/// A. An edge given twice counts once, with its largest weight; so does one given in both directions where A
/// is symmetric. `pool` shares the work where one is given.
Csr adjacency(const Graph& graph, const AdjacencyOptions& options = {}, ThreadPool* pool = nullptr);

/// Â_λ = λI + (1−λ) D^-½ (A + I) D^-½, D the row sums of A + I. An isolated node keeps Â_jj = 1.
Csr normalised_adjacency(const Csr& adjacency, double lambda);
/// The same without a copy of A on the way: for graphs that fill the memory.
Csr normalised_adjacency(const Graph& graph, double lambda, const AdjacencyOptions& options = {},
                         ThreadPool* pool = nullptr);

/// Fraction of edges whose ends have the same label; edges with an unlabelled end (−1) are left out.
double edge_homophily(const Csr& adjacency, const std::vector<std::int32_t>& label);

/// The connected component of every node, direction aside; components are numbered in the order of their
/// first nodes.
std::vector<std::int32_t> components(const Graph& graph);

/// Nodes within `hops` of `seeds`, ascending.
std::vector<std::int32_t> neighbourhood(const Csr& adjacency, const std::vector<std::int32_t>& seeds,
                                        int hops);

}  // namespace gdkm
