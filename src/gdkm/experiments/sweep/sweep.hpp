#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/sweep/stage_chain.hpp"
#include "gdkm/experiments/sweep/worker_pool.hpp"

namespace gdkm {

struct SweepOptions {
  std::filesystem::path store;
  std::optional<std::filesystem::path> data_dir;
  std::vector<std::string> only;  // of the data sets, where there are any
  bool skip_missing = false;      // leave out data sets that are not to be found
  bool retry_failed = false;
  int jobs = 1, threads = 1;  // threads of each job
  int slots = 1;              // jobs that share a process
  bool dry = false;           // to be planned, not run: the store stays as it is
  std::string program;        // what workers run, and the words it is given
  std::vector<std::string> worker_command;
};

/// Where a sweep is, for people.
struct SweepState {
  int done = 0, failed = 0, skipped = 0, total = 0, running = 0;
  int done_here = 0;         // since the sweep was started
  double elapsed = 0;        // seconds since then
  double seconds_left = -1;  // negative where nothing is known yet
  struct Line {
    std::string study, dataset, stage;  // stage is "" when all are over
    StageChain::Count count;
    std::optional<StageChain::Best> best;
  };
  std::vector<Line> lines;
};

struct SweepObserver {
  std::function<void(const SweepState&)> progress = [](const SweepState&) {};
  std::function<void(const std::string&)> say = [](const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };
};

/// A spec at work on a store: gives runs to workers, notes what others do, chooses between stages.
class Sweep {
 public:
  /// Reads the data sets and plans the first stages. InputError where a data set is not there.
  Sweep(const SweepSpec& spec, const SweepOptions& options, const SweepObserver& observer);

  /// Works until everything is over; false where it was interrupted.
  bool run();

  const std::vector<std::unique_ptr<StageChain>>& chains() const { return chains_; }
  /// Where runs failed and none at all was done: one of those that failed, numerically if any did.
  std::optional<Run> failure_of_all() const;
  /// How long runs take, from what the store has.
  RunCost cost();
  /// Whether the store has that run as done or failed.
  bool is_over(const Configuration& configuration);
  SweepState state() const;

 private:
  void load_datasets(const std::vector<std::string>& names);
  void hand_out(WorkerPool& pool);
  void start(WorkerPool& pool, StageChain& chain, std::int64_t run);
  /// Whether workers are kept free for a run that is tried by itself; starts it where they are.
  bool try_alone(WorkerPool& pool);
  void handle(WorkerPool& pool, double wait);
  void handle_death(const WorkerPool::Report& death);
  /// A run is in no worker's hands any more. A suspect is kept, to be tried by itself.
  void come_back(std::int64_t run, bool suspect);

  const SweepSpec& spec_;
  SweepOptions options_;
  const SweepObserver& observer_;
  Store store_;
  RunClaims claims_;
  std::map<std::string, DatasetFacts> facts_;
  std::vector<std::unique_ptr<StageChain>> chains_;
  struct UnderWay {
    StageChain* chain = nullptr;
    double flops = 0, part = 0;  // the run's operations, and which part of them is done
    int epochs = 1;
  };
  std::map<std::int64_t, UnderWay> under_way_;
  /// Of the runs that a process had when it died, one may be the cause, and crash again.
  std::deque<std::pair<StageChain*, std::int64_t>> suspects_;
  std::int64_t alone_ = 0;  // the suspect that is under way, or 0
  double start_ = 0, flops_done_ = 0;
  int done_here_ = 0, lost_ = 0;
};

}  // namespace gdkm
