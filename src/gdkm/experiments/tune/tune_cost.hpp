#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/store/stage_records.hpp"
#include "gdkm/store/stored_run.hpp"

namespace gdkm {

/// Estimates how long runs take on one data set, from finished runs on it: seconds per operation, and epochs
/// until training ends by itself.
class TuneCost {
 public:
  TuneCost(const std::vector<StoredRun>& finished, const DatasetFacts& facts);

  double seconds(const Configuration& configuration) const;
  /// The same, or 0 if the run is done or failed.
  double seconds_left(const Configuration& configuration) const;

 private:
  double operations(const Configuration& configuration, double epochs) const;

  DatasetFacts facts_;
  std::map<std::string, bool> ended_;                   // by hash
  std::map<std::string, std::vector<double>> rates_;    // seconds per operation, by cost_kind; sorted
  std::map<std::string, std::vector<double>> lengths_;  // epochs of runs that were not cut short, by kind
};

}  // namespace gdkm
