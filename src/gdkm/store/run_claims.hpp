#pragma once

#include <string>

#include "gdkm/store/store.hpp"

namespace gdkm {

/// The life of a run: added once, claimed by one process, then done or failed. Every step is a transaction
/// that holds only if the run still is what the step takes it for; so a run that was taken over, because its
/// owner seemed dead, cannot be finished twice.
class RunClaims {
 public:
  explicit RunClaims(Store& store, Owner self = this_process());

  const Owner& self() const { return self_; }

  /// The number of the run of this configuration, which is added as pending where it was not there.
  std::int64_t add(const Configuration& configuration);

  /// Takes a run that is pending, or whose owner is gone; whether it was to be had.
  bool claim(std::int64_t run);
  /// A sign of life, for runs of `owner`, who may be a child of this process.
  void beat(const Owner& owner);
  /// Back to pending: the owner stops before the end.
  bool release(std::int64_t run);
  /// False where the run is somebody else's by now; then nothing is stored.
  bool finish(std::int64_t run, const RunOutcome& outcome);
  bool fail(std::int64_t run, const std::string& message, const nlohmann::json& environment = nullptr,
            RunFailure kind = RunFailure::other);

  /// A process that had claimed a run ended without a word. `deterministic` ends would come again, and the
  /// run is failed; others may be chance, and it is pending again, three times at most. False where it was
  /// not that process's run any more.
  bool bury(std::int64_t run, const Owner& owner, bool deterministic, const std::string& message);

  /// Pending again, so that it is tried once more; whether it had failed.
  bool retry(std::int64_t run);

 private:
  void note(std::int64_t run, const std::string& kind, const Owner& owner);
  bool is_mine(std::int64_t run, const Owner& owner);

  Database& database_;
  Owner self_;
};

}  // namespace gdkm
