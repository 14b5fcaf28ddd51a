#pragma once

#include <string>

#include "gdkm/cli/invocation.hpp"
#include "gdkm/experiments/sweep/sweep.hpp"

namespace gdkm::cli {

/// Sets what the user left open (0) of jobs, slots and threads, and how workers are started: as `self`, with
/// the same data folder and device. `options.store` is set already.
void settle_workers(SweepOptions& options, const Invocation& self, const std::string& data_dir,
                    const DeviceId& device, int validate_every);

}  // namespace gdkm::cli
