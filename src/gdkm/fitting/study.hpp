#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gdkm/fitting/checkpoint.hpp"
#include "gdkm/fitting/fit.hpp"

namespace gdkm {

/// What the caller of a study sees and decides while it runs.
struct StudyObserver {
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  /// Epochs done, of all runs together, and the last loss.
  std::function<void(std::int64_t, double)> progress = [](std::int64_t, double) {};
  std::function<bool()> interrupted = [] { return false; };
  /// After every run, with the losses of its epochs.
  std::function<void(const RunResult&, const std::vector<double>&)> run_ended =
      [](const RunResult&, const std::vector<double>&) {};
  /// Once, before the first run: what it runs on, in words.
  std::function<void(const std::string&)> device = [](const std::string&) {};
};

struct StudyResult {
  std::vector<RunResult> runs;
  std::optional<FittedModel> best_model;  // of the run with the best validation accuracy
  /// What went wrong beyond recovery in the run after these, if anything did; what is here is complete.
  std::optional<std::string> failure;
  /// Where the study stopped, if it was interrupted.
  std::optional<Checkpoint> checkpoint;
};

struct StudyOptions {
  bool keep_model = true;  // whether the best model is handed out
  std::optional<Checkpoint> resume;
  double coverage = usual_coverage;  // to be measured on test items: see evaluate
  /// Called with the state of the study every so many seconds, so that not all is lost when a rank or a
  /// machine is; 0: never. Where ranks share the graph, the first decides when, and all call it.
  double keep_after = 0;
  std::function<void(const Checkpoint&)> keep = [](const Checkpoint&) {};
};

/// Seeds × splits of one model on one data set: fits and evaluates each.
StudyResult run_study(const Settings& settings, Dataset dataset, const StudyObserver& observer,
                      const StudyOptions& options = {});

}  // namespace gdkm
