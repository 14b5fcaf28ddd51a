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

/// Compares the test scores of runs on the same split that have the same seed. An exact model draws no random
/// numbers: its run is compared with those of all seeds. Nothing where no two runs can be compared.
///
/// Splits of one data set share items, so their differences are not independent, and std / √J is too small an
/// error of the mean over J splits. As in the corrected resampled t-test (Nadeau and Bengio, 2003), error² =
/// std² (1/J + test items / training items). Seeds on one split are independent: error² = std² / J. Such an
/// interval says nothing about other splits. Results of early versions do not count items: where no run does,
/// several splits have no error.
std::optional<ScoreDifference> score_difference(const std::vector<const StoredRun*>& of,
                                                const std::vector<const StoredRun*>& less,
                                                TestScore score = TestScore::accuracy);

}  // namespace gdkm
