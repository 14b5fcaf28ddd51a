#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/tune/tune.hpp"

namespace gdkm {

/// The mean of differences on the same seeds and splits, and its standard error, which allows for what splits
/// have in common: see error_of_mean.
struct PairedDifference {
  double mean = 0, error = 0;  // error is 0 for one pair, and NaN for numbers, whose items are not counted
  int pairs = 0;
};

/// Of scores by run; nothing if the two have no seed and split in common. `overlap`: scored items per
/// training item.
std::optional<PairedDifference> paired_difference(const std::vector<RunValue>& of,
                                                  const std::vector<RunValue>& against, double overlap);

/// Scores by the metric, the higher the better: on validation or on test items.
std::vector<RunValue> validation_scores(const ContenderRuns& runs, Select metric);
std::vector<RunValue> test_scores(const ContenderRuns& runs, Select metric);

/// One of those that were trained to the end and compared on the same splits.
struct FinalistSummary {
  Contender contender;
  Summary val;
  std::optional<PairedDifference> gain;  // of validation scores over the default's; the default has none
  int runs = 0;
  bool winner = false, plain = false;  // plain: the default
};

/// How an option that was changed alone changed validation scores, over all settings that were compared with
/// and without it.
struct OptionEffect {
  std::string option, value, usual;  // against the value that it usually has
  PairedDifference difference;
};

/// The numbers about a tuning that people ask for. Test scores are those of the winner and the default.
struct TuneSummary {
  std::vector<FinalistSummary> finalists;  // the best first
  std::optional<Summary> test, default_test;
  std::optional<PairedDifference> test_gain;      // of the winner over the default
  std::optional<PairedDifference> gain_over_gcn;  // in validation scores
  std::optional<Summary> nll, ece;                // of the winner, on test items
  std::optional<Summary> majority;                // accuracy of always predicting the most frequent class
  std::optional<PairedDifference> over_majority;  // in test accuracy
  std::vector<OptionEffect> effects;              // the most helpful first
  int settings = 0, runs = 0, failed = 0;
};
TuneSummary summarise(const TuneResult& result, Select metric);

/// "+1.20 ± 0.31", in the metric's own direction and unit.
std::string gain_text(const PairedDifference& gain, Select metric, bool regression);

}  // namespace gdkm
