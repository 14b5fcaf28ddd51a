#pragma once

#include <cstdint>

#include "gdkm/models/inducing_points.hpp"
#include "gdkm/support/enum_names.hpp"
#include "gdkm/training/batches.hpp"
#include "gdkm/training/class_weights.hpp"
#include "gdkm/training/schedule.hpp"

namespace gdkm {

/// natural: q(W) of a DKM stays near its optimum by natural-gradient updates, the rest follows by Adam, whose
/// rate falls when validation no longer gains; the model keeps the epoch that validates best, and validation
/// items calibrate its probabilities. A GCN: constant rate, best epoch, calibrated. uncalibrated: the same
/// without calibration. paper: Adam for everything with the paper's schedule, the last epoch, as it is.
enum class Inference { natural, uncalibrated, paper };

template <>
struct EnumNames<Inference> {
  static constexpr std::string_view names[] = {"natural", "uncalibrated", "paper"};
};

/// What epochs, runs and settings are chosen by, on validation items; elbo needs none. f1 is the mean over
/// classes; r2 is of regression, where accuracy means the same.
enum class Select { accuracy, nll, auc, f1, r2, elbo };

template <>
struct EnumNames<Select> {
  static constexpr std::string_view names[] = {"accuracy", "nll", "auc", "f1", "r2", "elbo"};
};

/// An end, where epochs are not limited.
inline constexpr int most_epochs_until_converged = 10000;

/// How any model is trained.
struct TrainOptions {
  Inference inference = Inference::natural;
  Select select = Select::accuracy;
  bool fixed_inducing = false;  // inducing inputs stay where they start
  int epochs = 300;             // at most; 0: as many as it takes to converge
  double rate = 1e-2;           // the peak of the schedule
  Schedule schedule = constant_rate;
  int patience = 100;  // of models that keep their best epoch: see EarlyStopping; 0: never stop
  std::uint64_t seed = 0;
  Init init = Init::kmeans;  // of inducing points
  BatchOptions batches;
  ClassWeights class_weights;
};

}  // namespace gdkm
