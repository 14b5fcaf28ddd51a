#pragma once

#include "gdkm/data/generators/generator_options.hpp"

namespace gdkm {

/// Nodes on a ring. Each node has about degree/2 edges to nodes at most `reach` steps ahead, drawn at random,
/// so that parts of the ring have few edges between them. Neighbouring nodes are mostly of one class, and
/// features are Gaussian around one mean per class. Time is linear in nodes and edges, for graphs of any
/// size.
struct Ring {
  static constexpr const char* name = "ring";
  static constexpr const char* summary =
      "near neighbours on a ring: a large graph that is easily cut into parts";

  std::int64_t nodes = 2000, classes = 4, reach = 50;
  double degree = 10;
  std::int64_t features = 32;
  double signal = 1;
  GeneratedSplits splits;

  GeneratorOptions options();
  Dataset generate() const;
};

}  // namespace gdkm
