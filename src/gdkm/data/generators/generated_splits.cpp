#include "gdkm/data/generators/generated_splits.hpp"

#include <limits>

#include "gdkm/dataset/random_splits.hpp"

namespace gdkm {

void GeneratedSplits::add_to(GeneratorOptions& options) {
  options.add("seed", seed, 0, std::numeric_limits<std::int64_t>::max(), "seed of graph and splits");
  options.add("train", train, 0, 1, "fraction of nodes to train on");
  options.add("val", val, 0, 1, "fraction of nodes to validate on");
  options.add("splits", splits, 0, 1000, "number of random splits, stratified by class");
}

void GeneratedSplits::draw(Dataset& dataset) const {
  if (splits == 0) return;
  dataset.splits["public"] =
      random_splits(dataset.label, train, val, static_cast<int>(splits), static_cast<std::uint64_t>(seed));
}

}  // namespace gdkm
