#include "gdkm/store/schema.hpp"

#include <fmt/format.h>

#include <array>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr std::int64_t application = 0x67646B6D;  // "gdkm"

constexpr std::array<std::string_view, 4> steps{// Runs, and what happened to them.
                                                R"sql(
CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL UNIQUE,
  dataset TEXT NOT NULL, model TEXT NOT NULL, seed INTEGER NOT NULL, split INTEGER NOT NULL,
  configuration TEXT NOT NULL,
  status TEXT NOT NULL CHECK(status IN ('pending', 'running', 'done', 'failed')),
  created REAL NOT NULL, started REAL, ended REAL,
  owner_host TEXT, owner_pid INTEGER, owner_start INTEGER, heartbeat REAL,
  deaths INTEGER NOT NULL DEFAULT 0,
  message TEXT,
  environment TEXT,
  result TEXT,
  reliability TEXT
);
CREATE INDEX runs_by_dataset ON runs(dataset, model, status);
CREATE INDEX runs_by_status ON runs(status);
CREATE TABLE curves(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  epoch INTEGER NOT NULL, loss REAL, val REAL,
  PRIMARY KEY(run, epoch)
) WITHOUT ROWID;
CREATE TABLE events(
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  time REAL NOT NULL, kind TEXT NOT NULL, owner TEXT NOT NULL
);
CREATE INDEX events_by_run ON events(run);
)sql",
                                                // What sweeps make of runs, and the data sets they are on.
                                                R"sql(
CREATE TABLE stages(
  sweep TEXT NOT NULL, study TEXT NOT NULL, stage INTEGER NOT NULL, dataset TEXT NOT NULL,
  candidate INTEGER NOT NULL,
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  stage_name TEXT NOT NULL,
  varied TEXT NOT NULL,
  chosen INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(sweep, study, stage, dataset, run)
) WITHOUT ROWID;
CREATE INDEX stages_by_run ON stages(run);
CREATE TABLE datasets(name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, facts TEXT NOT NULL) WITHOUT ROWID;
)sql",
                                                // Of failed runs, whether it was their numbers.
                                                R"sql(
ALTER TABLE runs ADD COLUMN numerical INTEGER NOT NULL DEFAULT 0;
)sql",
                                                // Identities without options that have no effect: see below.
                                                ""};

/// The step that rewrites the configurations of runs.
constexpr std::int64_t identity_step = 3;

}  // namespace

std::span<const std::string_view> schema_steps() {
  return steps;
}

void upgrade_schema(Database& database) {
  constexpr auto present = static_cast<std::int64_t>(steps.size());
  const auto refuse_strangers = [&](std::int64_t version) {
    const std::int64_t whose = database.integer("PRAGMA application_id");
    const bool empty =
        whose == 0 && version == 0 && database.integer("SELECT count(*) FROM sqlite_master") == 0;
    if (whose != application && !empty) {
      throw InputError(database.path().string() +
                       ": this is a SQLite file of another program; give another file");
    }
    if (version > present) {
      throw InputError(fmt::format(
          "{}: the store was written by a later gdkm (its tables have version {}, this program knows {}); "
          "use that program, or another file",
          database.path().string(), version, present));
    }
  };
  std::int64_t version = database.integer("PRAGMA user_version");
  refuse_strangers(version);
  if (version == present) return;
  Transaction transaction(database);
  version = database.integer("PRAGMA user_version");  // another program may have been faster
  refuse_strangers(version);
  for (; version < present; ++version) {
    database.script(std::string(steps[static_cast<std::size_t>(version)]));
    if (version == identity_step) upgrade_identities(database);
  }
  database.script(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application, present));
  transaction.commit();
}

}  // namespace gdkm
