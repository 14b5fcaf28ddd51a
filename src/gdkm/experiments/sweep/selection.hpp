#pragma once

#include <optional>
#include <vector>

#include "gdkm/training/metrics.hpp"

namespace gdkm {

/// The runs of one candidate of a stage: a validation score for every finished run.
struct CandidateRuns {
  std::vector<RunValue> val;
  int failed = 0;
};

/// The candidate with the highest mean validation score; the first one if several are equal. A candidate with
/// failed runs is chosen only if all candidates have some. If a budget ended the stage early, candidates are
/// compared on the seeds and splits that all of them finished. nullopt if no run is done.
std::optional<std::size_t> best_candidate(const std::vector<CandidateRuns>& candidates);

}  // namespace gdkm
