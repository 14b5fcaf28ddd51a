#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/data/dataset.hpp"

namespace gdkm {

/// A data set made ready: features normalised, adjacency renormalised. Splits and seeds share it.
struct Problem {
  Features features;
  Csr adjacency;  // A
  Csr mixing;     // Â_λ
  std::vector<std::int32_t> label;
  int classes = 0;
};

Problem prepare(const Dataset& dataset, Normalisation normalisation, double lambda);

/// The part of a problem that decides what reaches the labels of `seeds` through `hops` mixes; exact, because
/// everything outside it is out of reach. `nodes` maps its node numbers to those of the whole.
struct Part {
  Features features;
  Csr mixing;
  std::vector<std::int32_t> nodes;

  /// The part's numbers of nodes of the whole.
  std::vector<std::int32_t> numbers_of(const std::vector<std::int32_t>& whole) const;
};

Part within_reach(const Problem& problem, const std::vector<std::int32_t>& seeds, int hops);

}  // namespace gdkm
