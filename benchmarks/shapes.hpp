#pragma once

#include <string>
#include <vector>

#include "gdkm/training/problem.hpp"

namespace gdkm::bench {

/// The size of a graph, of its features and of a model on it.
struct Shape {
  std::string name;
  Index nodes, edges, features;
  Index per_row;  // nonzeros of a row of features, where they are sparse; 0 for dense ones
  int classes;
  Index inducing;
  /// 1 where all nodes have about the same degree. Above, ends of edges are drawn as n·u^skew for uniform u,
  /// which gives the busiest node n^(−1/skew) of all ends.
  double skew = 1;

  /// The nonzeros of Â: both directions of every edge, and the diagonal.
  Index mixing_nonzeros() const { return 2 * edges + nodes; }
  /// Nonzeros of X, or all its entries where it is dense.
  Index feature_entries() const { return nodes * (per_row > 0 ? per_row : features); }
};

/// Five graphs that people train on. Where the largest degree of the real one is far above the mean (penn94:
/// 4,410, arxiv: 13,161, reddit: 21,657), `skew` is chosen to expect that degree.
const std::vector<Shape>& known_shapes();
/// An InputError names the known ones where `name` is none.
const Shape& find_shape(const std::string& name);

/// A random graph of exactly that many edges, hubs scattered over the numbers of nodes; random features of
/// unit rows; random classes; the relations that `config` mixes with.
Problem random_problem(const Shape& shape, const ModelConfig& config = {});

/// Operations of a training step that cannot be saved by a better order, all nodes training: the first layer
/// forward and backward, three times two n×m×m products for the second, three products of the readout.
double counted_operations(const Shape& shape, Index samples);

}  // namespace gdkm::bench
