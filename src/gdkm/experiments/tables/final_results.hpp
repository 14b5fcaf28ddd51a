#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "gdkm/store/stage_records.hpp"
#include "gdkm/training/metrics.hpp"

namespace gdkm {

/// What a model came to on a data set: validation and test accuracy of the settings that validation chose.
struct FinalResult {
  Summary val, test;  // over the means of the splits where there are several, over seeds otherwise
  int runs = 0;
  Configuration configuration;  // of the first run
};

/// The runs of a store as sweeps see them, read once.
class FinalResults {
 public:
  explicit FinalResults(const Store& store);

  const std::vector<DatasetFacts>& datasets() const { return datasets_; }

  /// Of every study the last stage that has something to say is taken, and in it the best candidate among the
  /// runs that `counts` lets through; of several studies the one with the best validation accuracy. Nothing
  /// where no run is done.
  std::optional<FinalResult> of(const std::string& dataset,
                                const std::function<bool(const Configuration&)>& counts) const;

 private:
  std::vector<DatasetFacts> datasets_;
  std::vector<StageRun> places_;
  std::map<std::int64_t, Run> runs_;
};

}  // namespace gdkm
