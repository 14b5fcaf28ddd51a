#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/fitting/run_result.hpp"
#include "gdkm/store/configuration.hpp"
#include "gdkm/store/environment.hpp"
#include "gdkm/store/owner.hpp"
#include "gdkm/store/reliability.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

enum class RunStatus { pending, running, done, failed };

template <>
struct EnumNames<RunStatus> {
  static constexpr std::string_view names[] = {"pending", "running", "done", "failed"};
};

/// Throws an InputError that lists the four names.
RunStatus run_status(const std::string& name);

/// Why a run failed: a numerical failure (see NumericalError), or anything else.
enum class RunFailure { other, numerical };

/// One epoch of a run.
struct CurvePoint {
  int epoch = 0;              // from 1
  double loss = 0;            // before the epoch's step; NaN if it was not finite
  std::optional<double> val;  // validation accuracy (or R²) after the epoch, if it was evaluated
};

/// Calibration of a run's predictions.
struct RunReliability {
  Reliability val, test;
};

/// The results of a finished run.
struct RunOutcome {
  RunResult result;
  std::vector<CurvePoint> curve;
  std::optional<RunReliability> reliability;  // for classification
  Environment environment;
};

/// A run as the store keeps it.
struct StoredRun {
  std::int64_t id = 0;
  std::string hash;  // of the configuration; identifies the run
  Configuration configuration;
  RunStatus status = RunStatus::pending;
  std::string message;  // the reason, if it failed
  RunFailure failure = RunFailure::other;
  double created = 0, started = 0, ended = 0;  // seconds since 1970; 0 if not yet
  std::optional<Owner> owner;                  // while it is running
  double heartbeat = 0;
  std::optional<Environment> environment;  // once it is done or failed
  std::optional<RunResult> result;         // once it is done
  std::optional<RunReliability> reliability;

  /// Validation and test accuracy (R² for regression), if known.
  std::optional<double> val() const;
  std::optional<double> test() const;
};

/// A value of a run, with the run's seed and split.
RunValue run_value(const StoredRun& run, double value);

}  // namespace gdkm
