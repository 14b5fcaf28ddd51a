#pragma once

#include <variant>

#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// The model of that name; an OptionError lists them.
ModelKind model_named(const std::string& name);

/// Kinds of models, as far as they have different options.
enum ModelFamily : unsigned { sparse_models = 1, gcn_models = 2, full_rank_dkm = 4, exact_nngp = 8 };
constexpr unsigned exact_models = full_rank_dkm | exact_nngp,
                   every_model = sparse_models | gcn_models | exact_models;
unsigned family_of(ModelKind model, bool exact);

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
