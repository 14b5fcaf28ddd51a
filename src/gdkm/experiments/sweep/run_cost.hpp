#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/store/run.hpp"
#include "gdkm/store/stage_records.hpp"

namespace gdkm {

/// Floating-point operations of a run, roughly: products of matrices over all epochs, and one prediction.
double run_flops(const Configuration& configuration, const DatasetFacts& facts);

/// How long runs take: their operations over a rate, which comes from finished runs of the same model on the
/// same data set where there are any, else from those of the same model, else from a guess.
class RunCost {
 public:
  enum class Basis { same_data, same_model, guess };
  struct Estimate {
    double seconds = 0;
    Basis basis = Basis::guess;
  };

  RunCost(const std::vector<Run>& finished, const std::vector<DatasetFacts>& facts);

  Estimate estimate(const Configuration& configuration, const DatasetFacts& facts) const;

 private:
  std::map<std::string, std::vector<double>>
      rates_;  // operations a second, by model and data set, and by model
};

}  // namespace gdkm
