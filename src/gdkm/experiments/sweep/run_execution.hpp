#pragma once

#include <functional>
#include <optional>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/linalg/device_id.hpp"
#include "gdkm/store/stored_run.hpp"

namespace gdkm {

/// What changes results by rounding alone, and what watches a run.
struct ExecutionOptions {
  int threads = 0;
  DeviceId device;
  int validate_every = 0;  // epochs; 0: never
  std::function<void(int epoch)> stepped = [](int) {};
  std::function<bool()> interrupted = [] { return false; };
};

/// Trains and evaluates one seed on one split; nothing where it was interrupted. NumericalError where numbers
/// were lost for good, InputError where the settings do not suit the data.
std::optional<RunOutcome> execute_run(const Configuration& configuration, const Dataset& dataset,
                                      const ExecutionOptions& options);

/// An InputError where this program does not have the device.
void check_device(const DeviceId& device);

}  // namespace gdkm
