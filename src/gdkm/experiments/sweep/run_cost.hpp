#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/store/stage_records.hpp"
#include "gdkm/store/stored_run.hpp"

namespace gdkm {

/// A rough count of a run's floating-point operations: matrix products over all epochs and one prediction.
double run_flops(const Configuration& configuration, const DatasetFacts& facts);

/// Estimates how long runs take: their operations divided by a rate. The rate is that of finished runs of the
/// same model on the same data set, else that of finished runs of the same model, else a guess.
class RunCost {
 public:
  enum class Basis { same_data, same_model, guess };
  struct Estimate {
    double seconds = 0;
    Basis basis = Basis::guess;
  };

  RunCost(const std::vector<StoredRun>& finished, const std::vector<DatasetFacts>& facts);

  Estimate estimate(const Configuration& configuration, const DatasetFacts& facts) const;

 private:
  /// Operations per second, by "model dataset" and by "model".
  std::map<std::string, std::vector<double>> rates_;
};

}  // namespace gdkm
