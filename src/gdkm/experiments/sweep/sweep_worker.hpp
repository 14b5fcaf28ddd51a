#pragma once

#include <filesystem>
#include <optional>

#include "gdkm/experiments/sweep/run_execution.hpp"
#include "gdkm/store/store_location.hpp"

namespace gdkm {

struct SweepWorkerOptions {
  StoreLocation store;
  std::optional<std::filesystem::path> data_dir;
  ExecutionOptions execution;  // of each run
  int slots = 1;               // runs at the same time
};

/// The main loop of a worker. It reads run numbers from standard input, one per line, until the input ends,
/// and executes as many runs at a time as it has slots. For the number 0 it takes the first run of the store
/// whose data it finds, by name and fingerprint, and whose device it has. It claims each run, trains, stores
/// the result, and reports one word and the number on standard output:
///   done, failed
///   taken         another process has the run
///   released      the input ended before the run did
///   retry_alone   the run failed, but the runs beside it may be the cause
///   none          (for 0) the store has no run for this machine
/// Before that, for 0: "began NUMBER", and "lacks 0 WHAT" for data that is not on this machine.
/// "epoch NUMBER COUNT" reports progress. After "retire" the worker takes no more runs: its process or its
/// device may be in a bad state.
void work_on_runs(const SweepWorkerOptions& options);

}  // namespace gdkm
