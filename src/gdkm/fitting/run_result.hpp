#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gdkm/training/calibration.hpp"
#include "gdkm/training/metrics.hpp"

namespace gdkm {

/// What one run, of one seed on one split, came to.
struct RunResult {
  std::uint64_t seed = 0;
  int split = 0;
  int epochs = 0;
  int best_epoch = 0;      // so many epochs what was kept has seen
  bool converged = false;  // training ended because the loss, or validation, no longer changed
  std::optional<Calibration> calibration;
  double seconds = 0;
  double first_loss = 0, last_loss = 0;  // −ELBO per training node
  double jitter = 0;                     // the largest relative jitter that was needed
  double majority = 0;                   // test accuracy of predicting the most frequent class
  std::optional<Metrics> train, val, test;
};

/// Of one metric, by the rule of summarise_runs; empty where no run has it.
std::optional<Summary> summarise(const std::vector<RunResult>& runs, std::optional<Metrics> RunResult::*part,
                                 double Metrics::*metric);

}  // namespace gdkm
