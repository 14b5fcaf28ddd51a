#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "gdkm/store/stage_records.hpp"
#include "gdkm/training/metrics.hpp"

namespace gdkm {

bool is_exact(const Configuration& configuration);
/// With inducing points, trained as the paper's are.
bool is_sparse(const Configuration& configuration);

/// The final result of a model on a data set: accuracies of the settings with the best validation accuracy.
struct FinalResult {
  Summary val, test;                   // over the means of the splits if there are several, else over seeds
  Summary nll;                         // of test items
  double ece = 0;                      // of all test predictions together; NaN if it was not measured
  std::vector<const StoredRun*> runs;  // those that are done; they live as long as the FinalResults
  Configuration configuration;         // of the first run
  std::string sweep;
  bool finished = false;  // it is of the last stage of its study, which is done
};

/// The final results of all sweeps of a store, which is read once.
class FinalResults {
 public:
  /// Of these sweeps alone, if there are names.
  explicit FinalResults(const Store& store, const std::vector<std::string>& sweeps = {});

  const std::vector<DatasetFacts>& datasets() const { return datasets_; }

  /// Considers the runs for which `include` holds. Takes the best candidate of the last stage with results of
  /// every study, and of these that are `usable` the one with the best validation accuracy. Studies that are
  /// not finished count where none is: their settings were compared on a few splits. nullopt if no run is
  /// done.
  std::optional<FinalResult> of(
      const std::string& dataset, const std::function<bool(const Configuration&)>& include,
      const std::function<bool(const FinalResult&)>& usable = [](const FinalResult&) { return true; }) const;

  using Study = std::pair<std::string, std::string>;  // a sweep and one of its studies
  /// The stage has chosen its best settings, or has no runs to do.
  bool is_done(const Study& study, const std::string& dataset, int stage) const;

 private:
  bool is_finished(const Study& study, const std::string& dataset, int stage) const;

  std::vector<DatasetFacts> datasets_;
  std::vector<StageRun> stage_runs_;
  std::map<Study, int> last_stage_;  // on any data set
  std::map<std::int64_t, StoredRun> runs_;
};

}  // namespace gdkm
