#pragma once

#include <variant>

#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// GP regression with the closed-form kernel of an infinitely wide network.
struct ExactNngpConfig {
  ExactNetwork network = ExactNetwork::gcn;
  int layers = 2;
  KernelKind kernel = KernelKind::arccos;
};

/// The DKM without inducing points: every Gram matrix over all nodes, Gaussian noise, Algorithm 1's order.
struct FullRankConfig {
  std::vector<double> nu;  // one per layer
  KernelKind kernel = KernelKind::arccos;
  double jitter = 0;
  double noise = 0.1;
};

/// The model that settings ask for, with everything that defines it.
using ModelChoice = std::variant<ModelConfig, GcnConfig, ExactNngpConfig, FullRankConfig>;
ModelChoice model_choice(const Settings& settings);

/// The order of layers that decides how features enter the model.
Architecture input_architecture(const Settings& settings);

}  // namespace gdkm
