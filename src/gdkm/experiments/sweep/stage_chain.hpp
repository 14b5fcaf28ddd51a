#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/sweep/run_cost.hpp"
#include "gdkm/experiments/sweep/selection.hpp"
#include "gdkm/experiments/sweep/stage_plan.hpp"
#include "gdkm/store/run_claims.hpp"

namespace gdkm {

/// One study on one data set, stage after stage. What is done it reads from the store, so that it makes no
/// difference who did it and when.
class StageChain {
 public:
  StageChain(const SweepSpec& spec, const StudySpec& study, const DatasetFacts& facts, Store& store,
             RunClaims& claims, bool retry_failed);

  const StudySpec& study() const { return study_; }
  const DatasetFacts& facts() const { return facts_; }
  bool finished() const { return stage_ >= study_.stages.size(); }
  const std::string& stage_name() const { return study_.stages[stage_].name; }

  /// A run that waits to be started, which the caller now has; nothing where there is none at the moment.
  /// `is_under_way` knows runs that another chain has started: two studies may have a configuration in
  /// common.
  std::optional<std::int64_t> next(const std::function<bool(std::int64_t)>& is_under_way);
  /// A run that `next` gave out once more, if it still waits to be started; whether it does.
  bool take_again(std::int64_t run);
  /// A run is somebody else's, or came back, or is over; of no effect where the stage does not have it.
  void settle(std::int64_t run);
  /// Looks after the runs that others have.
  void look_elsewhere();
  /// Where the stage is over, chooses and goes on to the next; whether it did.
  bool advance();

  /// Runs of this stage and of those before; all of them, with guesses for the stages to come.
  struct Count {
    int done = 0, failed = 0, skipped = 0, total = 0;
  };
  Count count() const;
  /// The runs of the last stage that failed.
  std::vector<std::int64_t> failed() const;
  /// Operations of all runs that are not over, and of one.
  double flops_left() const;
  double flops_of(std::int64_t run) const;
  int epochs_of(std::int64_t run) const;

  struct Best {
    RunOptions options;  // as far as stages have varied them
    Summary val;
    std::optional<Summary> test;
    int runs = 0, failed = 0;
    double seconds = 0;  // of these runs together
    bool regression = false;
  };
  /// Of the present stage or, once it is over, the last: the best candidate so far.
  std::optional<Best> best() const;
  /// The best of every combination of values of `study().per`, in the order of the stage; by that text.
  std::vector<std::pair<std::string, Best>> best_per() const;

  std::vector<StagePlan> future_plans() const;  // of later stages, as if the first candidate were chosen
  const StagePlan& plan() const { return plan_; }
  std::size_t stage() const { return stage_; }

 private:
  enum class State { waiting, ours, elsewhere, done, failed, skipped };
  struct Slot {
    std::int64_t run = 0;
    int candidate = 0;
    double flops = 0;
    State state = State::waiting;
    std::optional<RunResult> result;
  };

  void enter_stage();
  void read(Slot& slot);
  bool is_over(State state) const {
    return state == State::done || state == State::failed || state == State::skipped;
  }
  double seconds_spent() const;
  std::vector<CandidateRuns> candidate_runs() const;
  Best summary_of(std::size_t candidate) const;
  const Slot* slot_of(std::int64_t run) const;

  const SweepSpec& spec_;
  const StudySpec& study_;
  DatasetFacts facts_;
  Store& store_;
  RunClaims& claims_;
  bool retry_failed_;
  std::size_t stage_ = 0;
  RunOptions carried_;
  StagePlan plan_;
  std::vector<Slot> slots_;
  Count before_;  // of stages that are over
  int future_runs_ = 0;
  double future_flops_ = 0;
};

}  // namespace gdkm
