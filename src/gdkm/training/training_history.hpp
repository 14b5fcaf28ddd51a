#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gdkm {

/// What happened while training.
struct TrainingHistory {
  std::vector<double> loss;  // of every epoch, each batch before its step: −ELBO / n_train of a DKM, mean
                             // cross-entropy of a GCN
  double jitter = 0;         // the largest relative jitter that was needed
  /// Of a model that keeps its best epoch: how many epochs were done at each validation, and its scores.
  std::vector<std::int64_t> val_epoch;
  std::vector<double> val_loss, val_accuracy, val_auc, val_f1;
  std::int64_t best = -1;  // which validation was best; −1 before the first
  /// Epochs done then; 0 for the start of training, or for none.
  int best_epoch() const {
    return best < 0 ? 0 : static_cast<int>(val_epoch[static_cast<std::size_t>(best)]);
  }
  /// At which epochs the model went back to its best parameters, to go on at a lower rate.
  std::vector<std::int64_t> lowered;
  /// Whether training ended because the ELBO no longer changed, or no longer the validation scores.
  bool converged = false;
  /// Why training ended early, where numbers of a step were lost; what is kept is the best epoch before.
  std::string lost;
};

}  // namespace gdkm
