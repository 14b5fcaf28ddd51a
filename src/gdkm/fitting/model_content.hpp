#pragma once

#include <memory>
#include <vector>

#include "gdkm/fitting/fitted_model.hpp"

namespace gdkm {

/// What a FittedModel is a handle of: a saved model, an exact one or a committee.
class FittedModel::Content {
 public:
  explicit Content(ModelCard card) : card_(std::move(card)) {}
  virtual ~Content() = default;

  const ModelCard& card() const { return card_; }
  virtual Predictions predict(const Dataset& dataset) const = 0;
  virtual NodeFeatures features(const Dataset& dataset, int layer, FeatureRows of) const = 0;
  virtual std::vector<NodeFeatures> inducing_features(const Dataset& dataset) const = 0;
  virtual Dense kernel(const Dataset& dataset, const std::vector<std::int32_t>& rows,
                       const std::vector<std::int32_t>& columns, int layer, FeatureRows of) const = 0;
  virtual bool was_trained_on(const Dataset& dataset) const = 0;
  virtual std::vector<FittedModel> members() const { return {}; }
  virtual const TensorFile& tensors() const = 0;
  virtual TensorFile state() const { return tensors(); }

 protected:
  /// `is_training_data`: items of these numbers were trained on.
  Predictions named(std::vector<double> values, const Dataset& dataset, bool is_training_data) const;

 private:
  std::vector<std::int32_t> labels_of_model(const Dataset& dataset) const;

  ModelCard card_;
};

}  // namespace gdkm
