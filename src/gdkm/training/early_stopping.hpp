#pragma once

#include <memory>
#include <vector>

#include "gdkm/training/train_options.hpp"
#include "gdkm/training/trainable.hpp"
#include "gdkm/training/trainer_state.hpp"
#include "gdkm/training/training_history.hpp"

namespace gdkm {

/// Scores a model on validation items after every epoch, keeps its best parameters and says when to stop. The
/// best epoch has the highest accuracy; of equal ones the lowest loss. Does nothing where there is nothing to
/// validate on, or for a model that keeps its last epoch.
template <class T>
class EarlyStopping {
 public:
  EarlyStopping(Trainable<T>& model, const Problem& problem, const std::vector<std::int32_t>& items,
                const TrainOptions& options);

  bool active() const { return !batches_.empty(); }
  bool out_of_patience(const TrainingHistory& history) const {
    return active() && patience_ > 0 &&
           static_cast<int>(history.val_loss.size()) - history.best_epoch >= patience_;
  }
  /// After an epoch.
  void validate(TrainingHistory& history);
  /// Puts the best parameters into the model.
  void restore_best();

  void save(const TrainingHistory& history, StateWriter& state) const;
  /// `epochs`: so many scores are expected.
  void restore(const StateReader& state, Index epochs, TrainingHistory& history);

 private:
  Trainable<T>& model_;
  int patience_;
  std::vector<std::unique_ptr<ValidationBatch<T>>> batches_;
  Matrix<T> best_parameters_, best_statistics_;
};

}  // namespace gdkm
