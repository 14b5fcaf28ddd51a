#pragma once

#include <optional>
#include <vector>

#include "gdkm/store/stored_run.hpp"

namespace gdkm {

/// The runs of one candidate of a stage, or of other settings: scores of the runs that are finished.
struct CandidateRuns {
  std::vector<RunValue> val, test = {};
  int failed = 0;

  /// Counts a run that failed; takes the scores of one that has a validation score.
  void add(const StoredRun& run);
};

/// A mean score to compare by. Means of the same values in another order differ in their last digits, and
/// must not decide.
double comparable(double mean);

/// Leaves the runs on the seeds and splits that all candidates without a failed run finished, if there are
/// any: what candidates are compared on. One with a failed run may be left with none.
void keep_common(std::vector<CandidateRuns>& candidates);

/// A candidate, and the mean score that it was compared by.
struct RankedCandidate {
  std::size_t candidate = 0;
  double score = 0;
};
/// The candidates that have runs, the one with the highest mean validation score first; of equal ones the
/// first. Candidates with failed runs take part only if all have some. If a budget ended the stage early,
/// candidates are compared on the seeds and splits that all of them finished.
std::vector<RankedCandidate> ranked_scores(const std::vector<CandidateRuns>& candidates);
/// The first of these; nullopt if no run is done.
std::optional<std::size_t> best_candidate(const std::vector<CandidateRuns>& candidates);

}  // namespace gdkm
