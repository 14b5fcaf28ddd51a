#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gdkm {

struct SweepWorkerOptions {
  std::filesystem::path store;
  std::optional<std::filesystem::path> data_dir;
  int threads = 0;
  std::string device = "cpu";
  int validate_every = 0;
};

/// The life of a worker: reads numbers of runs from standard input, one a line, until it ends. Claims each,
/// trains, stores what came out, and answers with one word and the number: done, failed, taken (somebody else
/// has it), or released (the input ended in the middle); "epoch NUMBER COUNT" comes now and then before.
void work_on_runs(const SweepWorkerOptions& options);

}  // namespace gdkm
