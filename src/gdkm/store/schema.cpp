#include "gdkm/store/schema.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr std::array<std::string_view, 5> steps{// Runs, and what happened to them.
                                                R"sql(
CREATE TABLE runs(
  id :key:,
  hash :text: NOT NULL UNIQUE,
  dataset :text: NOT NULL, model :text: NOT NULL, seed :whole: NOT NULL, split :whole: NOT NULL,
  configuration :text: NOT NULL,
  status :text: NOT NULL CHECK(status IN ('pending', 'running', 'done', 'failed')),
  created :real: NOT NULL, started :real:, ended :real:,
  owner_host :text:, owner_pid :whole:, owner_start :whole:, heartbeat :real:,
  deaths :whole: NOT NULL DEFAULT 0,
  message :text:,
  environment :text:,
  result :text:,
  reliability :text:
);
CREATE INDEX runs_by_dataset ON runs(dataset, model, status);
CREATE INDEX runs_by_status ON runs(status);
CREATE TABLE curves(
  run :whole: NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  epoch :whole: NOT NULL, loss :real:, val :real:,
  PRIMARY KEY(run, epoch)
) :keyed:;
CREATE TABLE events(
  id :key:,
  run :whole: NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  time :real: NOT NULL, kind :text: NOT NULL, owner :text: NOT NULL
);
CREATE INDEX events_by_run ON events(run);
)sql",
                                                // What sweeps make of runs, and the data sets they are on.
                                                R"sql(
CREATE TABLE stages(
  sweep :text: NOT NULL, study :text: NOT NULL, stage :whole: NOT NULL, dataset :text: NOT NULL,
  candidate :whole: NOT NULL,
  run :whole: NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  stage_name :text: NOT NULL,
  varied :text: NOT NULL,
  chosen :whole: NOT NULL DEFAULT 0,
  PRIMARY KEY(sweep, study, stage, dataset, run)
) :keyed:;
CREATE INDEX stages_by_run ON stages(run);
CREATE TABLE datasets(name :text: PRIMARY KEY, fingerprint :text: NOT NULL, facts :text: NOT NULL) :keyed:;
)sql",
                                                // Of failed runs, whether it was their numbers.
                                                R"sql(
ALTER TABLE runs ADD COLUMN numerical :whole: NOT NULL DEFAULT 0;
)sql",
                                                // Identities without options that have no effect: see below.
                                                "",
                                                // What a worker must have to execute a run: its data, by
                                                // fingerprint, and a kind of device where that matters.
                                                R"sql(
ALTER TABLE runs ADD COLUMN data :text: NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN needs :text: NOT NULL DEFAULT '';
CREATE INDEX runs_by_turn ON runs(status, id);
)sql"};

/// The steps that do more than SQL: one rewrites the configurations of runs, one reads their fingerprints.
constexpr std::int64_t identity_step = 3, data_step = 4;

void replace_all(std::string& text, std::string_view word, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += with.size())
    text.replace(at, word.size(), with);
}

void fill_data(Database& database) {
  std::vector<std::pair<std::int64_t, std::string>> found;
  {
    Statement rows(database, "SELECT id, configuration FROM runs");
    while (rows.step()) {
      const auto json = nlohmann::json::parse(rows.text(1), nullptr, false);
      if (json.is_object()) found.emplace_back(rows.integer(0), json.value("data", ""));
    }
  }
  for (const auto& [id, data] : found) database.execute("UPDATE runs SET data = ?2 WHERE id = ?1", id, data);
}

}  // namespace

std::int64_t schema_version() {
  return static_cast<std::int64_t>(steps.size());
}

std::string schema_step(std::int64_t from, const Dialect& dialect) {
  std::string out(steps.at(static_cast<std::size_t>(from)));
  replace_all(out, ":key:", dialect.key);
  replace_all(out, ":whole:", dialect.whole);
  replace_all(out, ":real:", dialect.real);
  replace_all(out, ":text:", dialect.text);
  replace_all(out, ":keyed:", dialect.keyed);
  return out;
}

void upgrade_schema(Database& database) {
  const auto checked_version = [&] {
    const Database::Tables found = database.tables();
    if (found.whose == Database::Tables::Whose::others)
      throw InputError(database.name() + ": this holds tables of another program; give another place");
    if (found.version > schema_version()) {
      throw InputError(fmt::format(
          "{}: the store was written by a later gdkm (its tables have version {}, this program knows {}); "
          "use that program, or another file",
          database.name(), found.version, schema_version()));
    }
    return found.version;
  };
  if (checked_version() == schema_version()) return;
  transact(database, Database::Locking::exclusive, [&](bool) {
    // Another program may have been faster.
    for (std::int64_t version = checked_version(); version < schema_version(); ++version) {
      database.script(schema_step(version, database.dialect()));
      if (version == identity_step) upgrade_identities(database);
      if (version == data_step) fill_data(database);
    }
    database.set_version(schema_version());
  });
}

}  // namespace gdkm
