#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/store/run_queue.hpp"

namespace gdkm {

/// Puts runs of a training into a store, as a sweep would: with the same identity, so that a sweep does not
/// do them again.
class RunLog {
 public:
  /// `name` is what the user calls the data.
  RunLog(const StoreLocation& store, const std::string& name, const Dataset& dataset,
         const Settings& settings);

  void set_device(const std::string& description) { environment_.device = description; }
  /// A run that the store has already stays as it is.
  void add(const RunResult& run, const std::vector<double>& losses);
  /// How many runs were there already.
  int known() const { return known_; }

 private:
  Store store_;
  RunQueue queue_;
  Configuration configuration_;  // of all runs, but for seed and split
  Environment environment_;
  int known_ = 0;
};

}  // namespace gdkm
