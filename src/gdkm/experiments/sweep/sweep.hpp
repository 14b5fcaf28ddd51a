#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/sweep/stage_chain.hpp"
#include "gdkm/experiments/sweep/worker_pool.hpp"

namespace gdkm {

struct SweepOptions {
  StoreLocation store;
  std::optional<std::filesystem::path> data_dir;
  std::vector<std::string> only;  // run on these data sets only; empty for all
  bool skip_missing = false;      // leave out data sets that cannot be read
  bool retry_failed = false;
  int jobs = 1, threads = 1;  // threads per job
  int slots = 1;              // jobs per process
  bool dry = false;           // plan only; the store does not change
  std::string program;        // the program and arguments of a worker
  std::vector<std::string> worker_command;
  std::vector<std::string> worker_environment;  // NAME=value, added to this process's own
  std::string needs;                            // the kind of device that runs need; see RunQueue::add
  bool start_workers = true;                    // else only plan, and leave runs to gdkm worker
  std::map<std::string, DatasetFacts> known;    // data sets that need not be read again, by name
};

/// The progress of a sweep, for display.
struct SweepState {
  int done = 0, failed = 0, skipped = 0, total = 0, running = 0;
  int done_here = 0;         // since the start
  double elapsed = 0;        // seconds since the start
  double seconds_left = -1;  // negative while unknown
  struct Line {
    std::string study, dataset, stage;  // stage is "" at the end
    StageChain::Count count;
    std::optional<StageChain::Best> best;
  };
  std::vector<Line> lines;
};

struct SweepObserver {
  std::function<void(const SweepState&)> progress = [](const SweepState&) {};
  std::function<void(const std::string&)> message = [](const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };
};

/// Executes a spec: gives runs to workers, follows what other processes do in the store, and chooses the best
/// settings at the end of each stage.
class Sweep {
 public:
  /// Reads the data sets and plans the first stages. Throws an InputError if a data set cannot be read.
  Sweep(const SweepSpec& spec, const SweepOptions& options, const SweepObserver& observer);

  Store& store() { return store_; }

  /// Executes all runs; returns false if it was interrupted.
  bool run();

  const std::vector<std::unique_ptr<StageChain>>& chains() const { return chains_; }
  /// If runs failed and none is done: one of the failed runs, preferably with a numerical failure.
  std::optional<StoredRun> total_failure() const;
  /// Estimates of times, from the runs of the store.
  RunCost cost();
  /// Whether that run is done or failed in the store.
  bool has_ended(const Configuration& configuration);
  SweepState state() const;

 private:
  void load_datasets(const std::vector<std::string>& names);
  void start_runs(WorkerPool& pool);
  void start(WorkerPool& pool, StageChain& chain, std::int64_t run);
  /// Executes suspects one at a time, as soon as all workers are idle; returns whether other runs must wait.
  bool start_suspect(WorkerPool& pool);
  void handle_reports(WorkerPool& pool, double wait);
  void handle_death(const WorkerPool::Report& death);
  /// A worker does not have the run any more. A suspect is executed again, alone.
  void run_returned(std::int64_t run, bool suspect);

  const SweepSpec& spec_;
  SweepOptions options_;
  const SweepObserver& observer_;
  Store store_;
  RunQueue queue_;
  std::map<std::string, DatasetFacts> facts_;
  std::vector<std::unique_ptr<StageChain>> chains_;
  struct ActiveRun {
    StageChain* chain = nullptr;
    double flops = 0, fraction = 0;  // the run's operations, and the fraction that is done
    int epochs = 1;
  };
  std::map<std::int64_t, ActiveRun> active_;
  /// Runs whose process died while it had several: one of them may be the cause and crash again.
  std::deque<std::pair<StageChain*, std::int64_t>> suspects_;
  std::int64_t active_suspect_ = 0;  // or 0
  double start_ = 0, flops_done_ = 0;
  int done_here_ = 0, lost_workers_ = 0;
};

}  // namespace gdkm
