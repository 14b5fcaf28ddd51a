#pragma once

#include <string>

#include "gdkm/store/store.hpp"

namespace gdkm {

/// The store as a queue of runs: a run is added once, claimed by one process, and then done or failed. Every
/// change is a transaction that first checks that the run is in the expected state. So a run that another
/// process took over, because its owner seemed dead, cannot be finished twice.
class RunQueue {
 public:
  explicit RunQueue(Store& store, Owner self = this_process());

  const Owner& self() const { return self_; }

  /// The number of the run with this configuration, which is added as pending if it is new.
  std::int64_t add(const Configuration& configuration);

  /// Claims a run that is pending or whose owner is gone; returns false if there is nothing to claim.
  bool claim(std::int64_t run);
  /// Renews the claims of `owner`, which may be a child of this process.
  void heartbeat(const Owner& owner);

  /// These four end a claim. They change nothing and return false if the run has another owner by now.
  /// `release` makes the run pending again.
  bool release(std::int64_t run);
  bool finish(std::int64_t run, const RunOutcome& outcome);
  bool fail(std::int64_t run, const std::string& message, const Environment& environment = {},
            RunFailure kind = RunFailure::other);
  /// The process that had claimed the run ended without reporting a result. If its end is `deterministic`, it
  /// would happen again, and the run fails. Otherwise the run is pending again, but fails the third time.
  bool owner_died(std::int64_t run, const Owner& owner, bool deterministic, const std::string& message);

  /// Makes a failed run pending again; returns whether it had failed.
  bool retry(std::int64_t run);

 private:
  void record_event(std::int64_t run, const std::string& kind, const Owner& owner);
  bool is_owner(const Owner& owner, std::int64_t run);
  /// Sets the status, removes the owner and records the event.
  void end_claim(std::int64_t run, const std::string& status, const std::string& event, const Owner& owner);

  Database& database_;
  Owner self_;
};

}  // namespace gdkm
