#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "gdkm/fitting/run_result.hpp"
#include "gdkm/support/safetensors.hpp"

namespace gdkm {

/// A study that was interrupted: its settings, the runs that were done, the best model so far, and the state
/// of the runs under way, of which there are several where they share a device. Random numbers depend on seed
/// and epoch alone, so that nothing of them needs keeping.
struct Checkpoint {
  struct UnderWay {
    double seconds = 0;  // spent on it so far
    int epoch = 0;
    TensorFile state;
  };
  /// Done while an earlier one was not.
  struct Early {
    RunResult run;
    TensorFile model;  // empty where it was not the best when it ended
  };

  std::string settings;             // as JSON, with data and model
  std::vector<RunResult> finished;  // in their order, up to the first that is not
  std::optional<TensorFile> best;   // of these
  std::map<int, UnderWay> under_way;
  std::map<int, Early> early;

  /// Epochs that need not be done again.
  std::int64_t epochs_done(int epochs_of_a_run) const;
};

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace gdkm
