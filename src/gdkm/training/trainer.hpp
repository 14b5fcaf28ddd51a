#pragma once

#include <memory>

#include "gdkm/models/dkm.hpp"
#include "gdkm/training/optimiser.hpp"
#include "gdkm/training/problem.hpp"

namespace gdkm {

struct TrainOptions {
  int epochs = 300;
  double rate = 1e-2;  // the peak of the schedule
  std::uint64_t seed = 0;
  Init init = Init::kmeans;
  bool only_within_reach = true;  // leave out nodes that no training label depends on: exact, and faster
};

/// What happened while training.
struct TrainingHistory {
  std::vector<double> loss;  // −ELBO / n_train before each step
  double jitter = 0;         // the largest relative jitter that was needed
};

/// Trains one model on one split, full batch. Everything a step needs is allocated by the constructor.
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
  Index nodes_in_use() const { return inputs_.nodes; }
  /// What graph, features and labels take on the device.
  std::size_t input_bytes() const { return input_bytes_; }

 private:
  TrainOptions options_;
  Dkm<T> model_;
  GraphInputs<T> inputs_;
  Labels labels_;
  std::unique_ptr<Network<T>> network_;
  std::unique_ptr<Optimiser<T>> optimiser_;
  TrainingHistory history_;
  std::size_t input_bytes_ = 0;
};

}  // namespace gdkm
