#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/store/stage_records.hpp"

namespace gdkm {

/// Runs of a store by their numbers.
using ReportRuns = std::map<std::int64_t, StoredRun>;

/// The result of a study on a data set: the best settings of its last stage that has results, by the
/// validation score that its runs select by.
struct ReportResult {
  std::string sweep, study, dataset, model, stage;
  nlohmann::json options;  // those that the stages up to this one vary
  Summary val;
  std::optional<Summary> test, ece, nll;  // on the test set
  std::vector<std::int64_t> runs;         // finished runs of these settings
  int failed = 0, planned = 0;            // of these settings; planned counts all
  bool regression = false;
  std::string chosen_by;  // the score, in words: see score_name
  MixingWeights mixing;   // the mean over these runs, where they mix with several relations
};

/// One entry for every sweep, study and data set that has a result, in the order of `stages`.
std::vector<ReportResult> report_results(const std::vector<StageRun>& stages, const ReportRuns& runs);

/// The scores of some runs, as summarise_runs summarises them; nothing if none has one.
std::optional<Summary> summarise_scores(const std::vector<std::int64_t>& which, const ReportRuns& runs,
                                        std::optional<Metrics> RunResult::*part);

}  // namespace gdkm
