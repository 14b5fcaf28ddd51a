#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gdkm/experiments/sweep/selection.hpp"
#include "gdkm/experiments/tune/tune_clock.hpp"
#include "gdkm/experiments/tune/tune_space.hpp"

namespace gdkm {

/// Names of the stages of a search. Screening stages train for few epochs, the others until training ends.
namespace tune_stage {
inline constexpr const char *start = "start", *mixing = "mixing", *features = "features", *sizes = "sizes",
                            *rematch = "rematch", *finals = "finals", *test = "test";
}
inline constexpr int screening_epochs = 60;
bool is_screening_stage(const std::string& name);

/// The runs of one contender, over several stages.
struct ContenderRuns {
  Contender contender;
  std::vector<RunResult> runs;
  int failed = 0;

  CandidateRuns scores(Select metric) const;
};

/// The contenders of some stages, each with its runs, in the order in which they appeared.
std::vector<ContenderRuns> contenders_of(const std::vector<StageOutcome>& stages,
                                         const std::function<bool(const std::string& stage)>& wanted);

/// Those of them that were run on at least half as many splits as any other, the best first: by what they
/// gain, on the splits that both have, over the first one that was run on most; of equal ones those that were
/// compared on more splits, and then those with the lower validation NLL.
std::vector<Contender> leaders(const std::vector<ContenderRuns>& all, Select metric, std::size_t most);

/// Successive halving: which settings to compare next, on which splits, and for how long. It decides by
/// validation scores and by what runs took, which are in the store, so that a search that is taken up again
/// comes to the same stages. No test score is looked at.
class TunePlan {
 public:
  /// Seconds that a run is expected to take; 0 if it is in the store.
  using Cost = std::function<double(const Configuration&)>;

  TunePlan(TuneTask task, Select metric, RunOptions common, const TuneClock& clock, int jobs, Cost cost);

  /// The study for a sweep; this plan must outlive it.
  StudySpec study(const std::string& dataset);
  /// The stage after these, or nothing.
  std::optional<StageSpec> next(const std::vector<StageOutcome>& so_far);

 private:
  std::vector<Contender> changes_of(const std::vector<StageOutcome>& so_far, const std::string& stage) const;
  std::optional<StageSpec> after_sizes(const std::vector<StageOutcome>& so_far);
  StageSpec screening(const std::string& name, const std::vector<StageOutcome>& so_far,
                      const std::vector<Contender>& contenders, double until);
  StageSpec rematch(const std::vector<StageOutcome>& so_far);
  StageSpec finals(const std::vector<StageOutcome>& so_far);
  std::optional<StageSpec> test(const std::vector<StageOutcome>& so_far);
  /// `until`, or earlier, so that one of the kept contenders can be trained once more.
  double before_refit(const std::vector<ContenderRuns>& trained, const std::vector<Contender>& kept,
                      double until) const;
  /// A stage that trains the kept ones of `trained` on as many splits as there is time for.
  StageSpec repeated(const std::string& name, const std::vector<StageOutcome>& so_far,
                     const std::vector<ContenderRuns>& trained, const std::vector<Contender>& kept,
                     double until) const;

  /// A stage of these contenders, after the default. Those that are not possible are left out.
  StageSpec stage_of(const std::string& name, const std::vector<Contender>& contenders, bool screening) const;
  StagePlan plan_of(const StageSpec& stage) const;
  /// Leaves out contenders, the last first, until `least` splits (or seeds, if there is one split) take at
  /// most `seconds`; the first `stay` stay anyway. Then as many splits as fit, up to `most`.
  void fit_into(StageSpec& stage, double seconds, int least, int most, int stay) const;
  void use(StageSpec& stage, int repeats) const;
  double spent(const std::vector<StageOutcome>& so_far) const;

  TuneTask task_;
  Select metric_;
  const TuneClock& clock_;
  int jobs_;
  Cost cost_;
  SweepSpec spec_;  // what holds for all runs
};

}  // namespace gdkm
