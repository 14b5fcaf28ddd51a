#pragma once

#include "gdkm/data/generators/generator_options.hpp"

namespace gdkm {

/// Erdős–Rényi graph G(n, p): every pair is an edge with probability p, independent of the labels, which are
/// balanced and random. Only the features are informative. Time is linear in nodes and edges.
struct ErdosRenyi {
  static constexpr const char* name = "er";
  static constexpr const char* summary = "Erdos-Renyi graph, labels independent of the edges";

  std::int64_t nodes = 1000;
  double p = 0.01;
  std::int64_t classes = 2, features = 32;
  double signal = 1;
  GeneratedSplits splits;

  GeneratorOptions options();
  Dataset generate() const;
};

}  // namespace gdkm
