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
/// A model that is validated after every epoch stops when its patience has run out. One that is validated at
/// intervals has three rates, each a quarter of the one before; the second is the rate that was asked for.
/// When 30, 30 and 10 % of the patience have brought no better epoch, it goes back to the best one and goes
/// on at the next rate, or stops. So a rate that is too high is mended later, and one that is too low starts
/// higher.
///
/// By accuracy the best epoch is the one with the lowest loss among those whose accuracy is within half a
/// standard error of the highest: smaller differences are noise. Of uncalibrated classifiers it is the
/// highest accuracy, and of equal ones the lowest loss; of regression the highest R². By AUC or F1 it is the
/// highest, and of equal ones the lowest loss. Losses of calibrated models are those of the calibrated
/// probabilities.
template <class T>
class EarlyStopping {
 public:
  EarlyStopping(Trainable<T>& model, const Problem& problem, const std::vector<std::int32_t>& items,
                const TrainOptions& options);

  /// Allocates all that is needed, when the batches of the model are uploaded.
  void reserve();
  /// Gives back the memory of validation; nothing is validated any more, but its state can be saved.
  void let_go() { batches_.clear(); }
  bool active() const { return has_items_ && select_ != Select::elbo; }
  bool out_of_patience(const TrainingHistory& history) const {
    return waits_in_vain(history) && (!lowers_rate_ || history.lowered.size() + 1 == rates);
  }
  /// Whether the model is to be validated after `epoch` epochs, which are not the last. At first the rate is
  /// high, so that the best epoch may be one of the first.
  bool is_due(int epoch) const {
    const int interval = model_.validation_interval();
    return active() && (epoch % interval == 0 || (interval > 5 && (epoch == 1 || epoch == 2 || epoch == 5)));
  }
  /// What to multiply the learning rate with.
  double rate_multiple(const TrainingHistory& history) const;
  /// Puts the best parameters into the model, to go on at the next rate, if it is time to; says whether.
  bool go_back(TrainingHistory& history);
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
  static constexpr std::size_t rates = 3;
  static constexpr double rate_ratio = 4;
  static constexpr int tenths_of_patience[rates] = {3, 3, 1};

  /// Whether there was no better epoch for long, at the present rate.
  bool waits_in_vain(const TrainingHistory& history) const;
  bool is_better(const TrainingHistory& history, std::size_t now) const;
  /// Of all validation items, in the order of label_ and target_.
  Logits outputs();

  Trainable<T>& model_;
  int patience_;
  Select select_;
  bool calibrates_ = false, lowers_rate_ = false;
  std::vector<std::unique_ptr<ValidationBatch<T>>> batches_;  // until let_go()
  bool has_items_ = false;
  std::vector<std::int32_t> label_, rows_;
  std::vector<float> target_;
  int targets_ = 0;
  Calibration last_;
  Matrix<T> best_parameters_, best_statistics_;
};

}  // namespace gdkm
