#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gdkm/models/inducing_points.hpp"
#include "gdkm/models/network.hpp"

namespace gdkm {

/// A sparse graph convolutional deep kernel machine: its configuration and its parameters. Networks on
/// particular graphs, for training or for prediction, share these parameters.
template <class T>
class Dkm {
 public:
  Dkm(Backend<T>& backend, const ModelConfig& config, Index features, Index classes);

  Dkm(const Dkm&) = delete;  // networks refer to its parameters
  Dkm& operator=(const Dkm&) = delete;

  Backend<T>& backend() { return backend_; }
  const ModelConfig& config() const { return config_; }
  Index features() const { return features_; }
  Index classes() const { return classes_; }
  Parameters<T>& parameters() { return parameters_; }

  /// The nodes of intra-domain inducing points.
  const std::vector<std::int32_t>& inducing_nodes() const { return inducing_nodes_; }
  void set_inducing_nodes(std::vector<std::int32_t> nodes) { inducing_nodes_ = std::move(nodes); }

  /// Builds a network with these parameters. The first network declares and allocates them.
  std::unique_ptr<Network<T>> network(const GraphInputs<T>& inputs, bool training);

  /// Allocates the parameters without a graph, for a model that is read from a file.
  void declare_parameters();

  /// How strongly each layer mixes with each of several relations (w_r), or with each power of Â (γ_k).
  std::vector<std::vector<double>> mixing_weights() const;

  /// Sets the parameters with which training starts: the NNGP (L = I), μ = 0, L_Σ = 0.1 I, σ = 1 (natural
  /// inference then finds its own), and X_i from `points`. Call it after the first network().
  void initialise(const InducingPoints& points);

 private:
  Backend<T>& backend_;
  ModelConfig config_;
  Index features_, classes_;
  std::vector<std::int32_t> inducing_nodes_;
  Parameters<T> parameters_;
};

}  // namespace gdkm
