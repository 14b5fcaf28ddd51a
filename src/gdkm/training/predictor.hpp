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

/// One row of features for every node (row-major): F Fᵀ is a kernel over the nodes.
struct NodeFeatures {
  Index width = 0;
  std::vector<double> values;
};
/// Those that Gram layer `layer` (from 0) puts out; with −1 those that the readout takes, whose kernel is the
/// learned output kernel. An InputError where there is no such layer.
template <class T>
NodeFeatures features(Dkm<T>& model, const Problem& problem, int layer = -1);

/// The same of a GCN: what hidden layer `layer` (from 0) puts out, with −1 the last one (see
/// GcnNetwork::hidden).
template <class T>
NodeFeatures features(Gcn<T>& model, const Problem& problem, int layer = -1);

}  // namespace gdkm
