#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/safetensors.hpp"
#include "gdkm/training/checkpoint.hpp"
#include "gdkm/training/learner.hpp"
#include "gdkm/training/run_result.hpp"
#include "gdkm/training/settings.hpp"

namespace gdkm {

/// What the caller of a study sees and decides while it runs.
struct StudyObserver {
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  /// Epochs done, of all runs together, and the last loss.
  std::function<void(std::int64_t, double)> progress = [](std::int64_t, double) {};
  std::function<bool()> interrupted = [] { return false; };
  /// Once, before the first run: what it runs on, in words.
  std::function<void(const std::string&)> device = [](const std::string&) {};
  /// After every epoch: the model as it is then, and what it learns from.
  std::function<void(Learner&, const Problem&, const Split&)> stepped = [](Learner&, const Problem&,
                                                                           const Split&) {};
  /// When a run is done: what came out, and the predictions it was judged by.
  std::function<void(const RunResult&, std::span<const double>, const Problem&, const Split&)> evaluated =
      [](const RunResult&, std::span<const double>, const Problem&, const Split&) {};
};

struct StudyResult {
  std::vector<RunResult> runs;
  TensorFile best_model;  // the run with the best validation accuracy
  /// What went wrong beyond recovery in the run after these, if anything did; what is here is complete.
  std::optional<std::string> failure;
  /// Where the study stopped, if it was interrupted.
  std::optional<Checkpoint> checkpoint;
};

/// Seeds × splits of one model on one data set: trains and evaluates each. `settings.config.inducing` is
/// lowered to the number of nodes where it must be.
StudyResult run_study(Settings settings, const Dataset& dataset, const StudyObserver& observer,
                      const std::optional<Checkpoint>& resume = std::nullopt);

}  // namespace gdkm
