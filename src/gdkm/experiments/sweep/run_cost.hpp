#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/store/stage_records.hpp"
#include "gdkm/store/stored_run.hpp"

namespace gdkm {

/// A rough count of a run's floating-point operations: matrix products over all epochs and one prediction.
double run_flops(const Configuration& configuration, const DatasetFacts& facts);

/// Models whose rates differ: "exact", "full-rank", "landmarks", "gcn" or "sparse".
std::string cost_kind(const Configuration& configuration);

/// Estimates how long runs take: their operations divided by a rate. The rate is that of finished runs of the
/// same kind on the same data set, else that of finished runs of the same kind, else a guess. Of finished
/// runs, those count that ran on the same kind of device.
class RunCost {
 public:
  enum class Basis { same_data, same_model, guess };
  struct Estimate {
    double seconds = 0;
    Basis basis = Basis::guess;
  };

  /// `device` is the kind of device that runs need, as RunQueue::add has it: "" for the CPU.
  RunCost(const std::vector<StoredRun>& finished, const std::vector<DatasetFacts>& facts,
          const std::string& device = "");

  Estimate estimate(const Configuration& configuration, const DatasetFacts& facts) const;

 private:
  /// Operations per second, by "kind dataset" and by "kind".
  std::map<std::string, std::vector<double>> rates_;
};

}  // namespace gdkm
