#pragma once

#include <functional>
#include <optional>

#include "gdkm/fitting/fitted_model.hpp"
#include "gdkm/fitting/learner.hpp"
#include "gdkm/fitting/prepared_data.hpp"

namespace gdkm {

/// What one epoch of a training came to.
struct Epoch {
  int number = 0, of = 0;  // from 1; a training may stop earlier than `of`
  double loss = 0;         // of the last epoch whose loss is known; NaN before the first
};

/// What the caller of fit() sees and decides while it runs.
struct FitObserver {
  /// After every epoch; false ends the training there, with the model that was learned so far.
  std::function<bool(const Epoch&)> epoch = [](const Epoch&) { return true; };
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  /// When it is over: losses and validation scores of all epochs.
  std::function<void(const TrainingHistory&)> trained = [](const TrainingHistory&) {};
};

/// Trains the model that `settings` describe on one split, from settings.training.seed. `split` numbers the
/// items of `dataset` as it is given. `item_weight`: how much each of these items counts in training, >= 0;
/// empty: all the same. It is for models that are trained, an InputError otherwise.
FittedModel fit(Dataset dataset, const Split& split, const Settings& settings,
                const FitObserver& observer = {}, std::vector<double> item_weight = {});

/// An exact model as it was when FittedModel::state() was called, on the same data, split and settings.
/// Nothing is trained.
FittedModel restore_exact(Dataset dataset, const Split& split, const Settings& settings,
                          const TensorFile& state);

/// The same as the first on data that is prepared already, whose items `split` numbers.
FittedModel fit(std::shared_ptr<const PreparedData> data, const Split& split,
                const FitObserver& observer = {});

/// Predicts with what a learner has learned, and scores it on the three parts of the split.
struct Evaluation {
  RunResult run;
  std::vector<double> predictions;  // as Problem::columns has them
  ConformalScores conformal;        // of split.conformal; empty where that is
};
/// `coverage`: what prediction sets are asked to have, to be measured on test items where the split keeps
/// conformal items apart.
Evaluation evaluate(Learner& learner, const PreparedData& data, const Split& split, std::uint64_t seed,
                    double coverage = usual_coverage);
/// Scores predictions of all items on some of them: classes or numbers, as the problem has them.
std::optional<Metrics> evaluate(const std::vector<double>& predictions, const Problem& problem,
                                const std::vector<std::int32_t>& items);

}  // namespace gdkm
