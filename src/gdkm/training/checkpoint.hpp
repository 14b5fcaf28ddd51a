#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "gdkm/support/safetensors.hpp"
#include "gdkm/training/run_result.hpp"
#include "gdkm/training/trainer.hpp"

namespace gdkm {

/// A study that was interrupted: its settings, the runs that were done, the best model so far, and the state
/// of the run in progress. Random numbers depend on seed and epoch alone, so that nothing of them needs
/// keeping.
struct Checkpoint {
  std::string settings;  // as JSON, with data and model
  std::vector<RunResult> finished;
  std::optional<TensorFile> best;
  double seconds = 0;  // spent on the run in progress
  int epoch = 0;
  TensorFile state;
};

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
Checkpoint read_checkpoint(const std::filesystem::path& path);

/// The state of a trainer, and back; from there on it goes as if nothing had happened.
template <class T>
TensorFile save_state(Trainer<T>& trainer);
template <class T>
void restore_state(Trainer<T>& trainer, const TensorFile& state, const std::filesystem::path& path);

}  // namespace gdkm
