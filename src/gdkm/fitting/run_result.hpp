#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/training/calibration.hpp"
#include "gdkm/training/conformal.hpp"
#include "gdkm/training/metrics.hpp"
#include "gdkm/training/train_options.hpp"

namespace gdkm {

/// What a model mixes with, and how strongly: layers × relations, or powers of a polynomial.
struct MixingWeights {
  std::vector<std::string> names;
  std::vector<std::vector<double>> layers;
};

/// What one run, of one seed on one split, came to.
struct RunResult {
  std::uint64_t seed = 0;
  int split = 0;
  int epochs = 0;
  int best_epoch = 0;      // so many epochs what was kept has seen
  bool converged = false;  // training ended because the loss, or validation, no longer changed
  std::string lost;        // why it ended early, where numbers were lost (see TrainingHistory)
  std::optional<Calibration> calibration;
  std::vector<double> nu = {};  // that was chosen on validation items; empty if it was given
  MixingWeights mixing;         // of several relations, or of a polynomial; empty otherwise
  double seconds = 0;
  double first_loss = 0, last_loss = 0;  // −ELBO per training node
  double jitter = 0;                     // the largest relative jitter that was needed
  double majority = 0;                   // test accuracy of predicting the most frequent class
  double mean_rmse =
      std::numeric_limits<double>::quiet_NaN();  // test RMSE of predicting the mean: regression
  std::optional<Metrics> train, val, test;
  std::optional<Coverage> coverage;  // of prediction sets on test items, where it was asked for
};

/// What runs and settings are chosen by, the higher the better: on validation items, or on training items
/// where there are none. R² stands for accuracy in regression, f1 is the mean over classes, and a score that
/// a run lacks is replaced by accuracy. elbo is that of the last epoch, per training item.
std::optional<double> score_of(const RunResult& run, Select select);

/// What that score is, for tables and captions: "accuracy", "lowest NLL", "macro F1", …
std::string score_name(const RunResult& run, Select select);

/// Of one metric, by the rule of summarise_runs; empty where no run has it.
std::optional<Summary> summarise(const std::vector<RunResult>& runs, std::optional<Metrics> RunResult::*part,
                                 double Metrics::*metric);

}  // namespace gdkm
