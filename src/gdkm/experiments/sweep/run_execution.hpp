#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/store/stored_run.hpp"

namespace gdkm {

/// What changes results by rounding alone, and what watches a run.
struct ExecutionOptions {
  int threads = 0;
  std::string device = "cpu";
  int validate_every = 0;  // epochs; 0: never
  std::function<void(int epoch)> stepped = [](int) {};
  std::function<bool()> interrupted = [] { return false; };
};

/// Trains and evaluates one seed on one split; nothing where it was interrupted. NumericalError where numbers
/// were lost for good, InputError where the settings do not suit the data.
std::optional<RunOutcome> execute_run(const Configuration& configuration, const Dataset& dataset,
                                      const ExecutionOptions& options);

/// The data set with the wanted split alone, preprocessed, so that a study of one split takes it; `settings`
/// become those of that study.
Dataset with_split(const Dataset& given, Settings& settings, int split);

/// An InputError where this program does not have the device.
void check_device(const std::string& device);

}  // namespace gdkm
