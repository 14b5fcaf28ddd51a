#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/models/dkm.hpp"
#include "gdkm/models/gcn/gcn.hpp"
#include "gdkm/training/batches.hpp"
#include "gdkm/training/calibration.hpp"

namespace gdkm {

/// Draws that uncalibrated probabilities average over: so many quasi-random points.
inline constexpr Index prediction_samples = 256;

/// x with Φ(x) = probability, the inverse of the normal distribution function.
double inverse_normal(double probability);

/// What a network of that model takes: a part of the data.
template <class T>
GraphInputs<T> inputs_of(Dkm<T>& model, const Part& part);

/// Mean and standard deviation of the outputs of all items of a network.
template <class T>
struct Marginals {
  Matrix<T> mean, deviation;
  Marginals(Dkm<T>& model, Network<T>& network)
      : mean(model.backend(), network.items(), model.classes(), Space::nodes),
        deviation(model.backend(), 1, network.items(), Space::nodes) {}
};

/// The outputs of some items of a network, after forward(): logits, or of regression the numbers of
/// Problem::columns.
template <class T>
Logits logits_of(Dkm<T>& model, Network<T>& network, const std::vector<std::int32_t>& items,
                 const Marginals<T>& marginals);

/// Class probabilities of every node or graph (row-major, items × classes): by the calibration, or, without
/// one, the expectation of the softmax over the distribution of the logits, by quadrature. With 256 points
/// its error is below 0.01 (measured; see tests/training/calibration_test.cpp). The most probable class is
/// that of the largest mean. Graphs are taken so many at a time, and so are nodes where there are several
/// batches: each block with all that reaches it, so that the result is the same. Of regression: the columns
/// of Problem::columns.
template <class T>
std::vector<double> predict(Dkm<T>& model, const Problem& problem,
                            const std::optional<Calibration>& calibration = std::nullopt,
                            double* used_jitter = nullptr, const BatchOptions& batches = {});

/// The same of a GCN, whose logits have no variance.
template <class T>
std::vector<double> predict(Gcn<T>& model, const Problem& problem,
                            const std::optional<Calibration>& calibration = std::nullopt,
                            const BatchOptions& batches = {});

/// One row of features for every node (row-major): F Fᵀ is a kernel over the nodes.
struct NodeFeatures {
  Index width = 0;
  std::vector<double> values;
  std::vector<std::string> names = {};  // of the rows; empty where they are mere numbers
};
/// Those that Gram layer `layer` (from 0) puts out; with −1 those that the readout takes, whose kernel is the
/// learned output kernel. An InputError where there is no such layer.
template <class T>
NodeFeatures features(Dkm<T>& model, const Problem& problem, int layer = -1);

/// The same of a GCN: what hidden layer `layer` (from 0) puts out, with −1 the last one (see
/// GcnNetwork::hidden).
template <class T>
NodeFeatures features(Gcn<T>& model, const Problem& problem, int layer = -1);

/// One row for every inducing point, as each Gram layer puts them out: F Fᵀ is the learned Gram matrix.
template <class T>
std::vector<NodeFeatures> inducing_features(Dkm<T>& model, const Problem& problem);

/// A GCN has no inducing points: an InputError.
template <class T>
std::vector<NodeFeatures> inducing_features(Gcn<T>& model, const Problem& problem);

}  // namespace gdkm
