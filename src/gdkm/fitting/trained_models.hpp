#pragma once

#include <vector>

#include "gdkm/models/exact/gp_regression.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/gcn_trainable.hpp"
#include "gdkm/training/predictor.hpp"

namespace gdkm {

/// The models with parameters on a device, one entry for each configuration: its class, and how it
/// predicts. Learners, fitted models and model files find them here and know no others.
template <class Config>
struct TrainedModel;

template <>
struct TrainedModel<ModelConfig> {
  template <class T>
  using Type = Dkm<T>;
  template <class T>
  static std::vector<double> predict(Dkm<T>& model, const Problem& problem, const TrainOptions& options,
                                     const std::optional<Calibration>& calibration, double* used_jitter) {
    return gdkm::predict(model, problem, calibration, used_jitter, options.batches);
  }
};

template <>
struct TrainedModel<LandmarkConfig> {
  template <class T>
  using Type = Dkm<T>;
  /// Its outputs are numbers with Gaussian noise, whatever the data: classes are told by their one-hot rows.
  template <class T>
  static std::vector<double> predict(Dkm<T>& model, const Problem& problem, const TrainOptions& options,
                                     const std::optional<Calibration>& calibration, double* used_jitter) {
    std::vector<double> out = gdkm::predict(model, problem, std::nullopt, used_jitter, options.batches);
    if (problem.is_regression()) return out;
    out = class_probabilities(out, model.classes());
    return calibration ? calibrated(std::move(out), model.classes(), *calibration) : out;
  }
};

template <>
struct TrainedModel<GcnConfig> {
  template <class T>
  using Type = Gcn<T>;
  template <class T>
  static std::vector<double> predict(Gcn<T>& model, const Problem& problem, const TrainOptions& options,
                                     const std::optional<Calibration>& calibration, double* /*used_jitter*/) {
    return gdkm::predict(model, problem, calibration, options.batches);
  }
};

/// What a model mixes with, by name, and how strongly, layer by layer; empty where it has one matrix.
template <class T>
std::vector<std::string> mixing_names(const Relations& relations, const Dkm<T>& model) {
  std::vector<std::string> out;
  if (model.config().degree() > 0) {
    for (int k = 0; k <= model.config().degree(); ++k) out.push_back("power " + std::to_string(k));
  } else if (relations.count() > 1) {
    for (const Relation& relation : relations.each) out.push_back(relation.name);
  }
  return out;
}
template <class T>
std::vector<std::vector<double>> mixing_weights(const Dkm<T>& model) {
  return model.mixing_weights();
}
template <class T>
std::vector<std::string> mixing_names(const Relations& /*relations*/, const Gcn<T>& /*model*/) {
  return {};
}
template <class T>
std::vector<std::vector<double>> mixing_weights(const Gcn<T>& /*model*/) {
  return {};
}

/// Whether a configuration has an entry; exact models have none.
template <class Config>
concept HasTrainedModel = requires {
  sizeof(TrainedModel<Config>);
};

}  // namespace gdkm
