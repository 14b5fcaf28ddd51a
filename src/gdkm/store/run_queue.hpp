#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/store/store.hpp"

namespace gdkm {

/// Data as runs name it: by its name and the fingerprint of its contents.
struct DataKey {
  std::string name, fingerprint;
  auto operator<=>(const DataKey&) const = default;
};

/// The store as a queue of runs: a run is added once, claimed by one process, and then done or failed. Every
/// change is a transaction that first checks that the run is in the expected state. So a run that another
/// process took over, because its owner seemed dead, cannot be finished twice. A change whose confirmation a
/// server could not send any more is found by its event, and not made twice.
class RunQueue {
 public:
  explicit RunQueue(Store& store, Owner self = this_process());

  const Owner& self() const { return self_; }

  /// The number of the run with this configuration, which is added as pending if it is new. `needs` is the
  /// kind of device that a worker must have, "" for any; it changes what a pending run needs.
  std::int64_t add(const Configuration& configuration, const std::string& needs = "");

  /// Claims a run that is pending or whose owner is gone; returns false if there is nothing to claim.
  bool claim(std::int64_t run);
  /// Claims the first pending run on one of these data sets that needs no device, or this kind of device.
  std::optional<std::int64_t> claim_any(const std::vector<DataKey>& data, const std::string& device);
  /// The data of all pending runs that this kind of device can execute.
  std::vector<DataKey> waiting_data(const std::string& device);
  /// How many runs are pending or running, whoever can execute them.
  std::int64_t unfinished();
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

  /// The runs that a process has claimed.
  std::vector<std::int64_t> runs_of(const Owner& owner);
  /// `owner_died` for all runs whose owners are gone (see is_gone); returns them.
  std::vector<std::int64_t> take_back();

  /// Makes a failed run pending again; returns whether it had failed.
  bool retry(std::int64_t run);

 private:
  void record_event(std::int64_t run, const std::string& kind, const Owner& owner, double time);
  bool is_recorded(std::int64_t run, const std::string& kind, const Owner& owner, double time);
  /// Locks the run where the engine has locks for rows.
  bool is_owner(const Owner& owner, std::int64_t run);
  /// If `owner` has the run: sets the status, removes the owner, records the event and calls `change`.
  template <class Change>
  bool end_claim(std::int64_t run, const std::string& status, const std::string& event, const Owner& owner,
                 const Change& change);

  Database& database_;
  Owner self_;
};

}  // namespace gdkm
