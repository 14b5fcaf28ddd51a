#pragma once

#include "gdkm/data/generators/generator_options.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Options of all generators: the seed, and the "public" splits drawn from it.
struct GeneratedSplits {
  std::int64_t seed = 0;
  double train = 0.5, val = 0.25;
  std::int64_t splits = 10;

  void add_to(GeneratorOptions& options);
  /// Draws the splits for the labels of `dataset`.
  void draw(Dataset& dataset) const;
};

}  // namespace gdkm
