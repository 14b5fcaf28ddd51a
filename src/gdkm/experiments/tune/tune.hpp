#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/sweep/sweep.hpp"
#include "gdkm/experiments/tune/tune_cost.hpp"
#include "gdkm/experiments/tune/tune_plan.hpp"

namespace gdkm {

struct TuneOptions {
  std::string data;  // as the user names it
  double budget = 600;
  Select metric = Select::accuracy;
  RunOptions common;        // options of all runs, such as which splits
  bool new_graphs = false;  // only models that predict on other graphs
  SweepOptions sweep;       // store, jobs, workers
};

/// What a tuning came to. Contenders are compared on the seeds and splits that all of them have.
struct TuneResult {
  Contender winner;
  std::vector<ContenderRuns> finalists;  // fully trained; the default first, which may be the winner
  std::vector<StageOutcome> stages;
  double seconds = 0;    // of the budget that were used, by this process and others
  bool complete = true;  // whether the search came to its end before the budget did

  const ContenderRuns& runs_of(const Contender& contender) const;
};

/// Chooses settings for one data set by validation scores, in a store.
class Tune {
 public:
  /// An InputError says why the data cannot be used: there is nothing to choose by, or nothing to learn.
  Tune(const Dataset& dataset, const TuneOptions& options, const SweepObserver& observer);

  /// Runs until the search is over or the budget is used up, which is for certain after the default was
  /// trained; false if the observer interrupted it.
  bool run();
  TuneResult result() const;

  /// What the run of a contender on one split is.
  Configuration configuration(const Contender& contender, int split = 0, std::uint64_t seed = 0) const;
  const TuneTask& task() const { return task_; }
  const TuneClock& clock() const { return clock_; }
  Store& store() { return sweep_->store(); }
  SweepState state() const;

 private:
  static TuneTask task_of(const Dataset& dataset, const TuneOptions& options);
  /// Of the budget, by earlier processes: what their runs took.
  double seconds_used() const;
  bool is_of_this(const StoredRun& run) const;
  /// Whether the default was trained.
  bool has_answer() const;
  /// "mixing: 17 settings, best 81.20 by nngp layers=1, 7:30 left".
  std::string stage_text(const StageOutcome& stage) const;

  TuneOptions options_;
  const SweepObserver& observer_;
  TuneTask task_;
  TuneClock clock_;
  std::optional<TuneCost> cost_;
  std::unique_ptr<TunePlan> plan_;
  SweepSpec spec_;
  SweepObserver inner_;
  std::unique_ptr<Sweep> sweep_;
  bool complete_ = false;
};

/// "nngp relations=self,in,out layers=1": a contender in one line.
std::string contender_text(const Contender& contender);

/// A score as people write it: accuracy in percent, NLL without the sign that makes higher ones better.
std::string metric_text(const Summary& score, Select metric, bool regression);

/// Whether models of such settings can be saved.
bool can_be_saved(const Contender& contender);

}  // namespace gdkm
