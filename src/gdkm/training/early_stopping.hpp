#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gdkm/training/metrics.hpp"
#include "gdkm/training/train_options.hpp"
#include "gdkm/training/trainable.hpp"
#include "gdkm/training/trainer_state.hpp"
#include "gdkm/training/training_history.hpp"

namespace gdkm {

/// Scores a model on validation items now and then, keeps its best parameters and says when to stop. Does
/// nothing where there is nothing to validate on, or for a model that keeps its last epoch.
///
/// By accuracy the best epoch is the one with the lowest loss among those whose accuracy is within half a
/// standard error of the highest: smaller differences are noise. Of uncalibrated models it is the highest
/// accuracy, and of equal ones the lowest loss; of regression the highest R². Losses of calibrated models are
/// those of the calibrated probabilities.
template <class T>
class EarlyStopping {
 public:
  EarlyStopping(Trainable<T>& model, const Problem& problem, const std::vector<std::int32_t>& items,
                const TrainOptions& options);

  /// Allocates all that is needed, when the batches of the model are uploaded.
  void reserve();
  bool active() const { return !batches_.empty() && select_ != Select::elbo; }
  bool out_of_patience(const TrainingHistory& history) const {
    return active() && patience_ > 0 && history.best >= 0 &&
           history.val_epoch.back() - history.best_epoch() >= patience_;
  }
  /// After `epoch` epochs.
  void validate(TrainingHistory& history, int epoch);
  /// Puts the best parameters into the model.
  void restore_best();
  /// Fits T and κ to the validation items; nothing where there are none, or where it is not wanted.
  std::optional<Calibration> calibrate();

  void save(const TrainingHistory& history, StateWriter& state) const;
  /// `epochs`: so many were done.
  void restore(const StateReader& state, Index epochs, TrainingHistory& history);

 private:
  bool is_better(const TrainingHistory& history, std::size_t now) const;
  /// Of all validation items, in the order of label_ and target_.
  Logits outputs();

  Trainable<T>& model_;
  int patience_;
  Select select_;
  bool calibrates_ = false;
  std::vector<std::unique_ptr<ValidationBatch<T>>> batches_;
  std::vector<std::int32_t> label_, rows_;
  std::vector<float> target_;
  int targets_ = 0;
  Calibration last_;
  Matrix<T> best_parameters_, best_statistics_;
};

}  // namespace gdkm
