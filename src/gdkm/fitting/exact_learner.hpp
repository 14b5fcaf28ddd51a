#pragma once

#include <memory>

#include "gdkm/fitting/learner.hpp"
#include "gdkm/linalg/dense.hpp"
#include "gdkm/settings/model_choice.hpp"

namespace gdkm {

/// A model without inducing points, for graphs of some thousand nodes, in float64. It belongs to its data: it
/// is not saved, and predicts no other. Its n × n matrices are on the device that it is made with, or on the
/// host if that is null.
class ExactLearner : public Learner {
 public:
  const std::vector<double>& losses() const override { return losses_; }
  int epoch() const override { return static_cast<int>(losses_.size()); }
  TensorFile model_file(const ModelCard& card) override;

  /// The kernel over all nodes that predictions are made with, on the host.
  virtual Dense kernel() = 0;

 protected:
  std::vector<double> losses_;
};

/// Regression on one-hot labels with the closed-form kernel of an infinitely wide graph network, the nugget
/// chosen on validation nodes; done in one epoch.
std::unique_ptr<ExactLearner> make_exact_learner(Backend<double>* device, const ExactNngpConfig& config,
                                                 const TrainOptions& options, const PreparedData& data,
                                                 const Split& split);

/// The full-rank graph DKM with Gaussian noise, in the order of Algorithm 1; an epoch is a step of Adam.
std::unique_ptr<ExactLearner> make_exact_learner(Backend<double>* device, const FullRankConfig& config,
                                                 const TrainOptions& options, const PreparedData& data,
                                                 const Split& split);

}  // namespace gdkm
