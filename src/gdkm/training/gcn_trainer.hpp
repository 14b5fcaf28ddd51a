#pragma once

#include <filesystem>
#include <memory>

#include "gdkm/models/gcn/gcn_batch.hpp"
#include "gdkm/support/safetensors.hpp"
#include "gdkm/training/batches.hpp"
#include "gdkm/training/optimiser.hpp"
#include "gdkm/training/problem.hpp"

namespace gdkm {

struct GcnTrainOptions {
  int epochs = 300;
  int patience = 100;  // stop after so many epochs without a better validation score; 0: never
  double rate = 1e-2;
  bool scheduled = false;  // the rate follows schedule.hpp, as the paper's does; else it is constant
  std::uint64_t seed = 0;
  bool only_within_reach = true;  // leave out nodes that no label depends on: exact, and faster
  Index graphs = 1024;            // in one batch of a graph task
};

/// What happened while training; validation is empty where there is nothing to validate on.
struct GcnHistory {
  std::vector<double> loss;  // mean cross-entropy of every epoch, before its steps; weight decay not counted
  std::vector<double> val_loss, val_accuracy;  // after every epoch
  int best_epoch = 0;                          // epochs done when validation was best
};

/// Trains a GCN by Adam, one step per batch and epoch. Everything a step needs is allocated by the
/// constructor. The model that comes out is that of the best epoch: highest validation accuracy, of equals
/// the lowest validation loss; without validation items the last.
template <class T>
class GcnTrainer {
 public:
  /// Nodes of one graph, full batch; or graphs, in the order of the split.
  GcnTrainer(Backend<T>& backend, const Problem& problem, const Split& split, const GcnConfig& config,
             const GcnTrainOptions& options);
  /// Any batches, of `features` columns.
  GcnTrainer(Backend<T>& backend, Index features, Index classes, std::vector<GcnBatch<T>> train,
             std::vector<GcnBatch<T>> val, const GcnConfig& config, const GcnTrainOptions& options);

  GcnTrainer(const GcnTrainer&) = delete;  // its networks refer to its parts
  GcnTrainer& operator=(const GcnTrainer&) = delete;

  bool finished() const;
  int epoch() const { return static_cast<int>(history_.loss.size()); }
  /// One epoch; returns its loss. The last one leaves the best parameters in the model. Throws
  /// NumericalError, with the remedy, when a number is lost for good.
  double step();

  Gcn<T>& model() { return model_; }
  const GcnHistory& history() const { return history_; }

  /// The whole state, and back; from there on it goes as if nothing had happened. An InputError names `path`.
  TensorFile save_state();
  void restore_state(const TensorFile& state, const std::filesystem::path& path);

 private:
  struct Run {
    const GcnBatch<T>* batch;
    std::unique_ptr<GcnNetwork<T>> network;
  };

  double train();
  void validate();
  bool keeps_best() const { return !val_runs_.empty(); }

  Backend<T>& backend_;
  GcnTrainOptions options_;
  Gcn<T> model_;
  std::vector<GcnBatch<T>> train_, val_;
  std::vector<Run> train_runs_, val_runs_;
  std::unique_ptr<Optimiser<T>> optimiser_;
  Matrix<T> best_parameters_, best_statistics_;
  GcnHistory history_;
};

/// Class probabilities of every node, or every graph (row-major, items × classes).
template <class T>
std::vector<double> predict(Gcn<T>& model, const Problem& problem, const BatchOptions& batches = {});

}  // namespace gdkm
