#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/fitting/run_result.hpp"
#include "gdkm/store/configuration.hpp"
#include "gdkm/store/owner.hpp"
#include "gdkm/store/reliability.hpp"

namespace gdkm {

enum class RunStatus { pending, running, done, failed };

std::string name_of(RunStatus status);
/// An InputError names the four.
RunStatus run_status(const std::string& name);

/// Why a run failed, as far as programs tell it apart: its numbers were lost, or anything else.
enum class RunFailure { other, numerical };

/// One epoch of a run.
struct CurvePoint {
  int epoch = 0;              // from 1
  double loss = 0;            // before the epoch's step; NaN where it was not finite
  std::optional<double> val;  // validation accuracy (or R²) after it, where it was looked at
};

/// How well the confidence of a run's predictions is founded.
struct RunReliability {
  Reliability val, test;
};

/// What a finished run leaves.
struct RunOutcome {
  RunResult result;
  std::vector<CurvePoint> curve;
  std::optional<RunReliability> reliability;  // of classification
  nlohmann::json environment;                 // version, commit, machine, blas, device, threads
};

/// One row of the store.
struct Run {
  std::int64_t id = 0;
  std::string hash;  // of the configuration: its identity
  Configuration configuration;
  RunStatus status = RunStatus::pending;
  std::string message;                         // why it failed
  RunFailure failure = RunFailure::other;      // of what kind that was
  double created = 0, started = 0, ended = 0;  // seconds since 1970; 0 where it has not come to that
  std::optional<Owner> owner;                  // while it runs
  double heartbeat = 0;
  nlohmann::json environment;       // null until it is done
  std::optional<RunResult> result;  // once it is done
  std::optional<RunReliability> reliability;

  /// Validation accuracy (R² of regression), where there is one.
  std::optional<double> val() const;
  std::optional<double> test() const;
};

}  // namespace gdkm
