#pragma once

#include <optional>
#include <vector>

#include "gdkm/training/metrics.hpp"

namespace gdkm {

/// How one candidate of a stage did: a validation score for every run that is done.
struct CandidateRuns {
  std::vector<RunValue> val;
  int failed = 0;
};

/// The candidate with the highest mean validation score; of equal ones the first. Settings that failed on
/// some run are taken only where all did. Where a budget cut runs short, candidates are compared by the seeds
/// and splits that all contenders have. Nothing where no run is done.
std::optional<std::size_t> best_candidate(const std::vector<CandidateRuns>& candidates);

}  // namespace gdkm
