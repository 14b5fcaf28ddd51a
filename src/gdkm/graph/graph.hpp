#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/linalg/csr.hpp"

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

/// A: symmetric, without self-loops. An edge given twice, or in both directions, counts once (its largest
/// weight).
Csr adjacency(const Graph& graph);

/// Â_λ = λI + (1−λ) D^-½ (A + I) D^-½, D the row sums of A + I. An isolated node keeps Â_jj = 1.
Csr normalised_adjacency(const Csr& adjacency, double lambda);

/// Fraction of edges whose ends have the same label; edges with an unlabelled end (−1) are left out.
double edge_homophily(const Csr& adjacency, const std::vector<std::int32_t>& label);

/// Nodes within `hops` of `seeds`, ascending.
std::vector<std::int32_t> neighbourhood(const Csr& adjacency, const std::vector<std::int32_t>& seeds,
                                        int hops);

}  // namespace gdkm
