#pragma once

#include <variant>

#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// The model of that name; an OptionError lists them.
ModelKind model_named(const std::string& name);

/// Kinds of models, as far as they have different options.
enum ModelFamily : unsigned {
  sparse_models = 1,
  gcn_models = 2,
  full_rank_dkm = 4,
  exact_nngp = 8,
  landmark_nngp = 16
};
constexpr unsigned exact_models = full_rank_dkm | exact_nngp, inducing_models = sparse_models | landmark_nngp,
                   every_model = inducing_models | gcn_models | exact_models;

/// How a dkm or nngp is computed: with inducing points that are trained, at landmarks, or over all nodes.
enum class ModelForm { inducing, landmarks, exact };
ModelForm form_of(const Settings& settings);
unsigned family_of(ModelKind model, ModelForm form);

/// GP regression with the kernel U Uᵀ that a sparse network at ν = ∞ has between nodes, by way of landmarks.
/// Its outputs are numbers: those of the data, or the one-hot rows of classes.
struct LandmarkConfig : ModelConfig {};

/// GP regression with the closed-form kernel of an infinitely wide network.
struct ExactNngpConfig {
  ExactNetwork network = ExactNetwork::gcn;
  int layers = 2;
  KernelKind kernel = KernelKind::arccos;
  int degree = 0;  // of the polynomial that mixes; 0 if none does
};

/// The DKM without inducing points: every Gram matrix over all nodes, Gaussian noise, Algorithm 1's order.
struct FullRankConfig {
  std::vector<double> nu;  // one per layer
  KernelKind kernel = KernelKind::arccos;
  double jitter = 0;
  double noise = 0.1;
};

/// The model that settings ask for, with everything that defines it.
using ModelChoice = std::variant<ModelConfig, LandmarkConfig, GcnConfig, ExactNngpConfig, FullRankConfig>;
ModelChoice model_choice(const Settings& settings);

/// What the model mixes with: as asked for, or as its architecture or network has it. `directed`: the edges
/// of the data have a direction.
std::vector<RelationSpec> relations_of(const Settings& settings, bool directed = false);

/// The order of layers that decides how features enter the model.
Architecture input_architecture(const Settings& settings);

}  // namespace gdkm
