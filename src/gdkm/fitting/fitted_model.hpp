#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/fitting/model_card.hpp"
#include "gdkm/fitting/predictions.hpp"
#include "gdkm/linalg/dense.hpp"
#include "gdkm/support/safetensors.hpp"
#include "gdkm/training/predictor.hpp"

namespace gdkm {

class Learner;

/// What rows of features belong to: nodes, or what has a label. A graph's row is the mean or sum of those of
/// its nodes, as the readout takes it.
enum class FeatureRows { nodes, items };

/// A model that has learned. It owns all that lies between a data set and a prediction: preprocessing, what
/// the feature columns mean, precision and device. Copies share one model.
///
/// Data sets are given as they were loaded. An InputError says why a data set does not fit: other features
/// than those of the training data, another task, or, for exact models and those with inducing points or
/// features that belong to a graph, another graph.
class FittedModel {
 public:
  class Content;
  explicit FittedModel(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

  Predictions predict(const Dataset& dataset) const;
  /// One row per node or item: what Gram layer `layer` (from 0) puts out; −1: what the readout takes.
  NodeFeatures features(const Dataset& dataset, int layer = -1, FeatureRows of = FeatureRows::nodes) const;
  /// One row per inducing point, of every Gram layer: F Fᵀ is the learned Gram matrix. An InputError where a
  /// model has no inducing points.
  std::vector<NodeFeatures> inducing_features(const Dataset& dataset) const;
  /// The block of that layer's kernel between `rows` and `columns`, which count nodes (or items) after
  /// preprocessing. No n × n matrix is made, except by exact models.
  Dense kernel(const Dataset& dataset, const std::vector<std::int32_t>& rows,
               const std::vector<std::int32_t>& columns, int layer = -1,
               FeatureRows of = FeatureRows::nodes) const;
  /// The models whose predictions a committee averages; none of any other model. A committee has neither
  /// features nor a kernel of its own: an InputError. Its members have.
  std::vector<FittedModel> members() const;
  /// Whether this is the graph, or the graphs, that it was trained on.
  bool was_trained_on(const Dataset& dataset) const;

  /// What it is and how it was trained.
  const ModelCard& card() const;
  /// Its numbers and its card, as save() writes them.
  const TensorFile& tensors() const;

  /// What an exact model has learned: see restore_exact(). Of others, tensors().
  TensorFile state() const;

  /// Exact models are not saved: an InputError.
  void save(const std::filesystem::path& path) const;
  static FittedModel load(const std::filesystem::path& path, const DeviceChoice& device = {});

 private:
  std::shared_ptr<const Content> content_;
};

/// A model of the numbers in `tensors`, which to_tensors() or a file has made; `path` names it in errors.
FittedModel fitted_model(TensorFile tensors, const DeviceChoice& device, std::filesystem::path path);

/// An exact model and the data it belongs to.
FittedModel fitted_model(ModelCard card, std::shared_ptr<const PreparedData> data,
                         std::shared_ptr<Learner> learner);

}  // namespace gdkm
