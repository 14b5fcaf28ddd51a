#pragma once

#include <vector>

namespace gdkm {

/// What happened while training.
struct TrainingHistory {
  std::vector<double> loss;  // of every epoch, each batch before its step: −ELBO / n_train of a DKM, mean
                             // cross-entropy of a GCN
  double jitter = 0;         // the largest relative jitter that was needed
  std::vector<double> val_loss, val_accuracy;  // after every epoch, of a model that keeps its best one
  int best_epoch = 0;                          // epochs done when validation was best; 0 for none
};

}  // namespace gdkm
