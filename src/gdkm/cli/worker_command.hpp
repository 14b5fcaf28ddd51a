#pragma once

#include <string>

#include "gdkm/experiments/sweep/sweep.hpp"

namespace gdkm::cli {

/// Sets what the user left open (0) of jobs, slots and threads, and how workers are started: as this program,
/// with the same data folder and device. `options.store` is set already.
void settle_workers(SweepOptions& options, const std::string& command_line, const std::string& data_dir,
                    const DeviceId& device, int validate_every);

}  // namespace gdkm::cli
