#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "gdkm/training/metrics.hpp"

namespace gdkm {

/// What one run, of one seed on one split, came to.
struct RunResult {
  std::uint64_t seed = 0;
  int split = 0;
  int epochs = 0;
  double seconds = 0;
  double first_loss = 0, last_loss = 0;  // −ELBO per training node
  double jitter = 0;                     // the largest relative jitter that was needed
  double majority = 0;                   // test accuracy of predicting the most frequent class
  std::optional<Metrics> train, val, test;
};

nlohmann::ordered_json to_json(const RunResult& run);
RunResult run_from_json(const nlohmann::ordered_json& json);

/// {"val_accuracy_mean": …, "val_accuracy_std": …, …} over runs.
nlohmann::ordered_json summary_json(const std::vector<RunResult>& runs);

/// Of one metric, by the rule of summarise_runs; empty where no run has it.
std::optional<Summary> summarise(const std::vector<RunResult>& runs, std::optional<Metrics> RunResult::*part,
                                 double Metrics::*metric);

}  // namespace gdkm
