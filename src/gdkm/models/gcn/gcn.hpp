#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gdkm/models/gcn/gcn_network.hpp"

namespace gdkm {

/// A graph convolutional network: what it is and what it has learned. Networks on particular inputs (for
/// training, for prediction, for every batch of graphs) are built over its parameters.
template <class T>
class Gcn {
 public:
  Gcn(Backend<T>& backend, const GcnConfig& config, Index features, Index classes);

  Gcn(const Gcn&) = delete;  // networks refer to its parameters
  Gcn& operator=(const Gcn&) = delete;

  Backend<T>& backend() { return backend_; }
  const GcnConfig& config() const { return config_; }
  Index features() const { return features_; }
  Index classes() const { return classes_; }
  Parameters<T>& parameters() { return parameters_; }
  /// Running moments of batch normalisation: not learned, but part of the model. Empty without it.
  Parameters<T>& statistics() { return statistics_; }

  std::unique_ptr<GcnNetwork<T>> network(const GcnInputs<T>& inputs, bool training);

  /// Where training starts: weights uniform in ±√(6 / (rows + columns)) (Glorot & Bengio, 2010), biases 0,
  /// running moments 0 and 1.
  void initialise(std::uint64_t seed);

  /// Adds the gradient of ½ weight_decay · ‖W‖² of every weight matrix but the last.
  void add_weight_decay();

 private:
  static bool is_weight(const std::string& name) { return name.ends_with(".W") || name.ends_with(".V"); }

  Backend<T>& backend_;
  GcnConfig config_;
  Index features_, classes_;
  Parameters<T> parameters_, statistics_;
};

/// Class probabilities of every output (row-major, outputs × classes); a NumericalError where one is not
/// finite.
template <class T>
std::vector<double> class_probabilities(Gcn<T>& model, const GcnInputs<T>& inputs);

}  // namespace gdkm
