#pragma once

#include <vector>

#include "gdkm/models/dkm.hpp"
#include "gdkm/training/problem.hpp"

namespace gdkm {

/// Samples of the logits that predicted probabilities average over.
inline constexpr Index prediction_samples = 64;

/// Class probabilities of every node (row-major, nodes × classes), averaged over samples of the logits. All
/// nodes see the same draws, from `seed`, so that a prediction depends on its node alone and not on where it
/// stands in the graph.
template <class T>
std::vector<double> predict(Dkm<T>& model, const Problem& problem, std::uint64_t seed,
                            double* used_jitter = nullptr);

/// The features of the last Gram layer for every node (row-major): F Fᵀ is the learned output kernel.
struct NodeFeatures {
  Index width = 0;
  std::vector<double> values;
};
template <class T>
NodeFeatures last_features(Dkm<T>& model, const Problem& problem);

}  // namespace gdkm
