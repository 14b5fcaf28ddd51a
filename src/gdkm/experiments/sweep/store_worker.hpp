#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gdkm/experiments/sweep/sweep.hpp"

namespace gdkm {

struct StoreWorkerState {
  int done = 0, failed = 0, running = 0;  // by this worker
  std::int64_t unfinished = 0;            // pending or running, by anybody
};

struct StoreWorkerObserver {
  std::function<void(const StoreWorkerState&)> progress = [](const StoreWorkerState&) {};
  std::function<void(const std::string&)> message = [](const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };
};

/// Takes runs from a store that other machines may share, and executes them in processes of its own, so that
/// a crash ends only the runs of one of them. It plans nothing: sweeps add the runs.
class StoreWorker {
 public:
  /// `options` says how processes are started; `wait_seconds` how long to look for further runs once there
  /// are none for this machine.
  StoreWorker(const SweepOptions& options, double wait_seconds, const StoreWorkerObserver& observer);

  /// Returns false if it was interrupted; its runs are then pending again.
  bool run();

  const StoreWorkerState& state() const { return state_; }

 private:
  void handle_reports(WorkerPool& pool, double wait);
  void handle_death(const WorkerPool::Report& death);

  const SweepOptions& options_;
  double wait_seconds_;
  const StoreWorkerObserver& observer_;
  Store store_;
  RunQueue queue_;
  StoreWorkerState state_;
  double last_work_ = 0, next_look_ = 0;
  int lost_processes_ = 0;
};

}  // namespace gdkm
