#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "gdkm/store/database.hpp"
#include "gdkm/store/run.hpp"
#include "gdkm/store/run_filter.hpp"

namespace gdkm {

/// A file of runs: reading. `RunClaims` writes runs, `StageRecords` what sweeps make of them. Any number of
/// programs may have the same store open.
class Store {
 public:
  /// An InputError where there is none, or where it is of a later version.
  static Store open(const std::filesystem::path& path);
  /// The same, but makes one where there is none.
  static Store open_or_create(const std::filesystem::path& path);

  /// A copy in memory, to try something without consequences.
  static Store in_memory(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return database_->path(); }
  Database& database() const { return *database_; }

  /// Those that match, in the order in which they were added.
  std::vector<Run> runs(const RunFilter& filter = {}) const;
  std::optional<Run> run(std::int64_t id) const;
  /// By number, or by the first letters of its hash; an InputError where none or several match.
  Run find(const std::string& number_or_hash) const;
  /// Every epoch of a run that is done; empty otherwise.
  std::vector<CurvePoint> curve(std::int64_t run) const;
  /// What happened to a run: "claimed by …" and the like, in order.
  struct Event {
    double time = 0;
    std::string kind, owner;
  };
  std::vector<Event> events(std::int64_t run) const;

  /// Removes a run with its curve; whether it was there. One that runs is an InputError.
  bool remove(std::int64_t run) const;

 private:
  explicit Store(std::unique_ptr<Database> database);

  std::unique_ptr<Database> database_;
};

}  // namespace gdkm
