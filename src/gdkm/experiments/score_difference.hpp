#pragma once

#include <optional>
#include <vector>

#include "gdkm/experiments/test_score.hpp"

namespace gdkm {

/// What one model scores more than another on the same test items: a mean of differences, one for each split,
/// or for each seed where there is one split.
struct ScoreDifference {
  Summary summary;
  double error = 0;        // standard error of the mean; NaN if it is not known
  std::size_t splits = 0;  // that both models have runs on

  /// Half of the 95 % interval of the mean, by Student's t; NaN if the error is.
  double half_width() const;
};

/// The items of a part that was scored, per item that was trained on; NaN if they were not counted.
double items_per_training_item(const std::optional<Metrics>& part, const RunResult& run);

/// The standard error of a mean of differences on so many splits. Splits of one data set share items, so
/// their differences are not independent, and std / √J is too small for J of them. As in the corrected
/// resampled t-test (Nadeau and Bengio, 2003), error² = std² (1/J + overlap), where `overlap` is the number
/// of scored items per training item. Seeds on one split are independent: error² = std² / J. NaN for one
/// difference.
double error_of_mean(const Summary& differences, std::size_t splits, double overlap);

/// Compares the test scores of runs on the same split that have the same seed. An exact model draws no random
/// numbers: its run is compared with those of all seeds. Nothing where no two runs can be compared.
///
/// Seeds on one split say nothing about other splits. Results of early versions do not count items: where no
/// run does, several splits have no error.
std::optional<ScoreDifference> score_difference(const std::vector<const StoredRun*>& of,
                                                const std::vector<const StoredRun*>& less,
                                                TestScore score = TestScore::accuracy);

}  // namespace gdkm
