#pragma once

#include "gdkm/data/generators/generator_options.hpp"

namespace gdkm {

/// Contextual stochastic block model: balanced classes, Gaussian features around one mean per class, and
/// independent edges. Let W be the number of pairs within classes, B between classes, and M = n·degree/2. A
/// pair within a class is connected with probability homophily·M/W, a pair between classes with (1 −
/// homophily)·M/B. Of M expected edges, homophily·M are within classes. Time is linear in nodes and edges.
struct Csbm {
  static constexpr const char* name = "csbm";
  static constexpr const char* summary = "contextual stochastic block model with adjustable homophily";

  std::int64_t nodes = 2000, classes = 4;
  double homophily = 0.8, degree = 10;
  std::int64_t features = 32;
  double signal = 1;
  GeneratedSplits splits;

  GeneratorOptions options();
  Dataset generate() const;
};

}  // namespace gdkm
