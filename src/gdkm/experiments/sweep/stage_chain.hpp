#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/sweep/run_cost.hpp"
#include "gdkm/experiments/sweep/selection.hpp"
#include "gdkm/experiments/sweep/stage_plan.hpp"
#include "gdkm/store/run_queue.hpp"

namespace gdkm {

/// One study on one data set, stage after stage. It reads results from the store, so it does not matter which
/// process produced them, or when.
class StageChain {
 public:
  StageChain(const SweepSpec& spec, const StudySpec& study, const DatasetFacts& facts, Store& store,
             RunQueue& queue, bool retry_failed, std::string needs);

  const StudySpec& study() const { return study_; }
  const DatasetFacts& facts() const { return facts_; }
  bool finished() const { return stage_ >= study_.stages.size(); }
  const std::string& stage_name() const { return study_.stages[stage_].name; }

  /// A run for the caller to start; nullopt if none is waiting. `is_started` tells whether another chain has
  /// started a run: two studies may have a configuration in common.
  std::optional<std::int64_t> next(const std::function<bool(std::int64_t)>& is_started);
  /// Hands out a run of `next` once more; returns false if it is not waiting any more.
  bool restart(std::int64_t run);
  /// Reads the state of a run from the store. No effect if the stage does not have it.
  void refresh(std::int64_t run);
  /// Reads the states of all runs that other processes execute, or may have taken.
  void refresh_elsewhere();
  /// If all runs of the stage have ended, chooses the best settings and goes on to the next stage; returns
  /// whether it did.
  bool advance();

  /// Ended runs of this stage and the earlier ones; `total` includes an estimate of the later stages.
  struct Count {
    int done = 0, failed = 0, skipped = 0, total = 0;
  };
  Count count() const;
  /// What became of the stages, as far as their runs have ended.
  std::vector<StageOutcome> outcomes() const;
  /// The failed runs of the last stage.
  std::vector<std::int64_t> failed() const;
  /// Floating-point operations of all runs that have not ended.
  double flops_left() const;
  struct Size {
    double flops = 0;
    int epochs = 1;
  };
  Size size_of(std::int64_t run) const;

  struct Best {
    RunOptions options;  // those that stages have varied so far
    Summary val;
    std::optional<Summary> test;
    int runs = 0, failed = 0;
    double seconds = 0;  // total of these runs
    bool regression = false;
  };
  /// The best candidate so far of the current stage, or of the last one at the end.
  std::optional<Best> best() const;
  /// The best candidate for every combination of values of `study().per`, by a text of these values.
  std::vector<std::pair<std::string, Best>> best_per() const;

  /// Of the best candidate whose models can be saved: the run with the highest score.
  struct BestRun {
    double mean = 0;  // of the candidate's scores
    Configuration configuration;
  };
  std::optional<BestRun> best_savable_run() const;

  std::vector<StagePlan> future_plans() const;  // of later stages, assuming that the first candidate wins
  const StagePlan& plan() const { return plan_; }
  std::size_t stage() const { return stage_; }

 private:
  enum class State { waiting, started, elsewhere, done, failed, skipped };
  struct TrackedRun {
    std::int64_t id = 0;
    int candidate = 0;
    double flops = 0;
    State state = State::waiting;
    std::optional<RunResult> result;
  };

  void enter_stage();
  void read(TrackedRun& run);
  static bool has_ended(State state) {
    return state == State::done || state == State::failed || state == State::skipped;
  }
  double seconds_spent() const;
  std::vector<CandidateRuns> candidate_runs() const;
  Best summary_of(std::size_t candidate) const;

  /// The plan of a stage, from the choices of those before it that are known.
  StagePlan plan_of(std::size_t stage, const RunOptions& carried) const;
  /// What the stage's candidates have in common of the options that stages vary.
  const RunOptions& chosen_before() const;

  /// Where stages follow from results: adds the next one, if there is one.
  void append_stage();
  StageOutcome outcome() const;

  const SweepSpec& spec_;
  StudySpec study_;
  DatasetFacts facts_;
  Store& store_;
  RunQueue& queue_;
  bool retry_failed_;
  std::string needs_;  // see RunQueue::add
  std::size_t stage_ = 0;
  RunOptions carried_;
  StagePlan plan_;
  std::vector<TrackedRun> runs_;  // in the order of plan_.runs
  Count before_;                  // of earlier stages
  std::vector<StageOutcome> outcomes_;
  /// Stages that have ended: what was carried into them, and their candidates, the best first, with the
  /// scores that they were compared by.
  struct Compared {
    RunOptions carried;
    std::vector<Candidate> ranked;
    std::vector<double> score;

    /// Those whose scores are so little below the best.
    std::vector<Candidate> within(double distance) const;
  };
  std::vector<Compared> compared_;
  int future_runs_ = 0;
  double future_flops_ = 0;
};

}  // namespace gdkm
