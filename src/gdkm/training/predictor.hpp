#pragma once

#include <vector>

#include "gdkm/models/dkm.hpp"
#include "gdkm/models/gcn/gcn.hpp"
#include "gdkm/training/batches.hpp"

namespace gdkm {

/// Samples of the logits that predicted probabilities average over.
inline constexpr Index prediction_samples = 64;

/// Class probabilities of every node or graph (row-major, items × classes), averaged over samples of the
/// logits. All see the same draws, from `seed`, so that a prediction depends on its item alone and not on
/// where it stands. Graphs are taken so many at a time, and so are nodes where there are several batches:
/// each block with all that reaches it, so that the result is the same. Of regression: the columns of
/// Problem::columns.
template <class T>
std::vector<double> predict(Dkm<T>& model, const Problem& problem, std::uint64_t seed,
                            double* used_jitter = nullptr, const BatchOptions& batches = {});

/// The same of a GCN.
template <class T>
std::vector<double> predict(Gcn<T>& model, const Problem& problem, const BatchOptions& batches = {});

/// The features of the last Gram layer for every node (row-major): F Fᵀ is the learned output kernel.
struct NodeFeatures {
  Index width = 0;
  std::vector<double> values;
};
template <class T>
NodeFeatures last_features(Dkm<T>& model, const Problem& problem);

/// What hidden layer `layer` (1 … config.hidden_layers()) of a GCN puts out for every node: see
/// GcnNetwork::hidden.
template <class T>
NodeFeatures hidden_features(Gcn<T>& model, const Problem& problem, int layer);

}  // namespace gdkm
