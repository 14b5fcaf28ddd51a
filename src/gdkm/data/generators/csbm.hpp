#pragma once

#include "gdkm/data/generators/generated_splits.hpp"
#include "gdkm/data/generators/generator_options.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Contextual stochastic block model: balanced classes, Gaussian features around one mean per class, and
/// independent edges. With W pairs within classes, B between them and M = n·degree/2, a pair within is joined
/// with probability homophily·M/W and one between with (1 − homophily)·M/B: of M expected edges, homophily·M
/// join equals. Time is linear in nodes and edges.
struct Csbm {
  static constexpr const char* name = "csbm";
  static constexpr const char* summary = "contextual stochastic block model with a homophily knob";

  std::int64_t nodes = 2000, classes = 4;
  double homophily = 0.8, degree = 10;
  std::int64_t features = 32;
  double signal = 1;
  GeneratedSplits splits;

  GeneratorOptions options();
  Dataset generate() const;
};

}  // namespace gdkm
