#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "gdkm/store/database.hpp"
#include "gdkm/store/run_filter.hpp"
#include "gdkm/store/stored_run.hpp"

namespace gdkm {

/// Runs in a file or on a server, for reading. `RunQueue` adds and executes runs, `StageRecords` records
/// their use in sweeps. Any number of programs may have the same store open.
class Store {
 public:
  /// Throws an InputError if there is no store, or if a later version of gdkm wrote it.
  static Store open(const StoreLocation& location, const DatabaseObserver& observer = {});
  /// The same, but creates a missing store.
  static Store open_or_create(const StoreLocation& location, const DatabaseObserver& observer = {});

  /// A copy in memory; changes do not reach the store.
  static Store in_memory(const StoreLocation& location);

  const StoreLocation& location() const { return database_->location(); }
  /// As messages name it.
  const std::string& name() const { return database_->name(); }
  Database& database() const { return *database_; }

  /// The runs that match, in the order in which they were added.
  std::vector<StoredRun> runs(const RunFilter& filter = {}) const;
  std::optional<StoredRun> run(std::int64_t id) const;
  /// The status of all runs with numbers from `first` to `last`.
  std::map<std::int64_t, RunStatus> statuses(std::int64_t first, std::int64_t last) const;
  /// By number, or by the first characters of its hash. Throws an InputError if none or several match.
  StoredRun find(const std::string& number_or_hash) const;
  /// The epochs of a finished run; empty otherwise.
  std::vector<CurvePoint> curve(std::int64_t run) const;
  /// A change of a run's status: claimed, taken over, released, lost, done or failed.
  struct Event {
    double time = 0;
    std::string kind, owner;
  };
  std::vector<Event> events(std::int64_t run) const;

  /// Removes a run with its curve; returns whether it existed. Throws an InputError if it is running.
  bool remove(std::int64_t run) const;

 private:
  explicit Store(std::unique_ptr<Database> database);

  std::unique_ptr<Database> database_;
};

}  // namespace gdkm
