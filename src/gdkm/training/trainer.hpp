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
  int patience = 100;  // of a GCN: stop after so many epochs without a better validation score; 0: never
};

/// What happened while training.
struct TrainingHistory {
  std::vector<double> loss;  // −ELBO / n_train before each step
  double jitter = 0;         // the largest relative jitter that was needed
};

/// Trains one model on one split. Batches take turns in an order drawn for each epoch. Everything a step
/// needs is allocated by the constructor, and a step is recorded once and replayed; only where the nodes of
/// one graph were cut into several batches, to save memory, each has it for the time of its step.
///
/// The device may be some steps behind: losses come back while it works on.
template <class T>
class Trainer {
 public:
  Trainer(Backend<T>& backend, const Problem& problem, const std::vector<std::int32_t>& train,
          const ModelConfig& config, const TrainOptions& options);

  Trainer(const Trainer&) = delete;  // its network refers to its parts
  Trainer& operator=(const Trainer&) = delete;

  bool finished() const { return epoch() >= options_.epochs; }
  /// How many were begun.
  int epoch() const { return static_cast<int>(history_.loss.size()) + epochs_in_flight_; }
  /// One epoch; returns the last loss that is known. Throws NumericalError, with the epoch, the layer and the
  /// remedy, when a number is lost for good.
  double step();
  /// Waits for all that was begun.
  void settle() { collect(0); }

  Dkm<T>& model() { return model_; }
  Optimiser<T>& optimiser() { return *optimiser_; }
  TrainingHistory& history() { return history_; }
  const TrainingHistory& history() const { return history_; }
  std::size_t batches() const { return runs_.size(); }
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
  /// A batch and its layers.
  struct Run {
    DeviceBatch batch;
    std::unique_ptr<Network<T>> network;
    std::unique_ptr<Recording> recording;
  };
  /// A step whose numbers are on their way.
  struct Flight {
    std::unique_ptr<Readback> numbers;
    const Run* run = nullptr;
    int epoch = 0;
    bool last_of_epoch = true;
  };
  DeviceBatch upload(const Problem& problem, const Batch& batch, const InducingPoints& points);
  /// Numbers to predict are trained on with mean 0 and variance 1; the model keeps how to get back.
  void standardise_targets(const Problem& problem, const std::vector<std::int32_t>& train);
  void build(Run& run);
  void forget(Run& run);
  /// The step itself, in primitives alone: gradients of one batch, and Adam.
  void compute(Run& run);
  void begin(Run& run, std::size_t turn, double weight, bool last_of_epoch);
  /// Takes in what has come back, and waits until at most `most` steps are in flight.
  void collect(std::size_t most);
  void take_in(const Flight& flight);

  TrainOptions options_;
  Dkm<T> model_;
  std::vector<Run> runs_;
  bool keeps_networks_ = true;
  double n_train_ = 0;
  std::vector<double> target_mean_, target_scale_;
  Buffer<Clock> clock_;
  std::unique_ptr<Optimiser<T>> optimiser_;
  std::vector<Flight> flights_;  // a ring
  std::size_t first_flight_ = 0, in_flight_ = 0;
  int epochs_in_flight_ = 0;
  double epoch_loss_ = 0;
  TrainingHistory history_;
  std::size_t input_bytes_ = 0;
};

}  // namespace gdkm
