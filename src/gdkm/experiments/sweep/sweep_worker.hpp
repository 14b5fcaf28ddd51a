#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gdkm/linalg/device_id.hpp"

namespace gdkm {

struct SweepWorkerOptions {
  std::filesystem::path store;
  std::optional<std::filesystem::path> data_dir;
  int threads = 0;  // of each run
  DeviceId device;
  int validate_every = 0;
  int slots = 1;  // runs at the same time
};

/// The life of a worker: reads numbers of runs from standard input, one a line, until it ends, and works on
/// as many at a time as it has slots. Claims each, trains, stores what came out, and answers with one word
/// and the number:
///   done, failed
///   taken      somebody else has it
///   released   the input ended in the middle
///   crowded    it failed in a way that the runs beside it may be the cause of: to be tried again by itself
/// "epoch NUMBER COUNT" comes now and then before. After "leave" no more runs are to be sent: the state of
/// the process, or of its device, is in doubt.
void work_on_runs(const SweepWorkerOptions& options);

}  // namespace gdkm
