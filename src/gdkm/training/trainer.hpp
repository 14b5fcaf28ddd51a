#pragma once

#include <memory>

#include "gdkm/models/dkm.hpp"
#include "gdkm/training/batches.hpp"
#include "gdkm/training/optimiser.hpp"
#include "gdkm/training/problem.hpp"

namespace gdkm {

struct TrainOptions {
  int epochs = 300;
  double rate = 1e-2;  // the peak of the schedule
  std::uint64_t seed = 0;
  Init init = Init::kmeans;
  BatchOptions batches;
};

/// What happened while training.
struct TrainingHistory {
  std::vector<double> loss;  // −ELBO / n_train before each step
  double jitter = 0;         // the largest relative jitter that was needed
};

/// Trains one model on one split. With one batch, everything a step needs is allocated by the constructor;
/// with several, which take turns in an order drawn for each epoch, each has the memory for the time of its
/// step.
template <class T>
class Trainer {
 public:
  Trainer(Backend<T>& backend, const Problem& problem, const std::vector<std::int32_t>& train,
          const ModelConfig& config, const TrainOptions& options);

  Trainer(const Trainer&) = delete;  // its network refers to its parts
  Trainer& operator=(const Trainer&) = delete;

  bool finished() const { return epoch() >= options_.epochs; }
  int epoch() const { return static_cast<int>(history_.loss.size()); }
  /// One epoch; returns its loss. Throws NumericalError, with the layer and the remedy, when a number is lost
  /// for good.
  double step();

  Dkm<T>& model() { return model_; }
  Optimiser<T>& optimiser() { return *optimiser_; }
  TrainingHistory& history() { return history_; }
  const TrainingHistory& history() const { return history_; }
  std::size_t batches() const { return batches_.size(); }
  /// In the largest batch.
  Index nodes_in_use() const;
  /// What graph, features and labels take on the device.
  std::size_t input_bytes() const { return input_bytes_; }

 private:
  /// A batch on the device.
  struct DeviceBatch {
    GraphInputs<T> inputs;
    Labels labels;
    Targets<T> targets;  // of regression

    Index count() const { return targets.count() > 0 ? targets.count() : labels.count(); }
  };
  DeviceBatch upload(const Problem& problem, const Batch& batch, const InducingPoints& points);
  /// Numbers to predict are trained on with mean 0 and variance 1; the model keeps how to get back.
  void standardise_targets(const Problem& problem, const std::vector<std::int32_t>& train);
  double step(Network<T>& network, const DeviceBatch& batch, std::size_t turn, double weight);

  TrainOptions options_;
  Dkm<T> model_;
  std::vector<DeviceBatch> batches_;
  double n_train_ = 0;
  std::vector<double> target_mean_, target_scale_;
  std::unique_ptr<Network<T>> network_;  // of the only batch
  std::unique_ptr<Optimiser<T>> optimiser_;
  TrainingHistory history_;
  std::size_t input_bytes_ = 0;
};

}  // namespace gdkm
