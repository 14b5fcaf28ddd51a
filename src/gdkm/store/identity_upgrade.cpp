#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "gdkm/store/configuration.hpp"
#include "gdkm/store/run_options.hpp"
#include "gdkm/store/schema.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::json;

struct OldRun {
  std::int64_t id = 0;
  std::string status, hash, configuration;

  /// What is kept of equal runs: the finished one, else one that somebody works on, else the first.
  int rank() const { return status == "done" ? 0 : status == "running" ? 1 : status == "failed" ? 2 : 3; }
};

std::map<std::string, DataKind> known_data(Database& database) {
  std::map<std::string, DataKind> out;
  Statement rows(database, "SELECT name, facts FROM datasets");
  while (rows.step()) {
    const Json facts = Json::parse(rows.text(1));
    DataKind kind;
    kind.task = facts.at("task") == "graph" ? Task::graph : Task::node;
    kind.regression = facts.at("classes") == 0;
    kind.table = facts.value("table", false);
    out[rows.text(0)] = kind;
  }
  return out;
}

/// The run with its configuration as it is written now; as it was where it cannot be read.
OldRun upgraded(OldRun run, const std::map<std::string, DataKind>& data) {
  try {
    Configuration configuration = configuration_from(run.configuration);
    const auto kind = data.find(configuration.dataset);
    configuration.options =
        effective_options(settings_of(configuration), kind == data.end() ? DataKind{} : kind->second);
    run.configuration = configuration.canonical();
    run.hash = configuration.hash();
  } catch (const InputError&) {
  }
  return run;
}

/// `kept` takes the places of `other`, which is removed.
void merge(Database& database, std::int64_t kept, std::int64_t other) {
  database.execute(
      "UPDATE stages SET chosen = 1 WHERE run = ?1 AND EXISTS(SELECT 1 FROM stages AS o WHERE o.run = ?2 AND "
      "o.chosen = 1 AND o.sweep = stages.sweep AND o.study = stages.study AND o.stage = stages.stage AND "
      "o.dataset = stages.dataset)",
      kept, other);
  database.execute(
      "UPDATE stages SET run = ?1 WHERE run = ?2 AND NOT EXISTS(SELECT 1 FROM stages AS o WHERE o.run = ?1 "
      "AND "
      "o.sweep = stages.sweep AND o.study = stages.study AND o.stage = stages.stage AND "
      "o.dataset = stages.dataset)",
      kept, other);
  for (const char* table : {"stages", "curves", "events"})
    database.execute(fmt::format("DELETE FROM {} WHERE run = ?1", table), other);
  database.execute("DELETE FROM runs WHERE id = ?1", other);
}

}  // namespace

void upgrade_identities(Database& database) {
  const auto data = known_data(database);
  std::map<std::string, std::vector<OldRun>> by_hash;
  {
    Statement rows(database, "SELECT id, status, hash, configuration FROM runs ORDER BY id");
    while (rows.step()) {
      OldRun run = upgraded({rows.integer(0), rows.text(1), rows.text(2), rows.text(3)}, data);
      by_hash[run.hash].push_back(std::move(run));
    }
  }
  database.script("UPDATE runs SET hash = 'upgrading ' || id");  // hashes are unique all the while
  for (auto& [hash, same] : by_hash) {
    std::stable_sort(same.begin(), same.end(),
                     [](const OldRun& a, const OldRun& b) { return a.rank() < b.rank(); });
    for (std::size_t k = 1; k < same.size(); ++k) merge(database, same.front().id, same[k].id);
    database.execute("UPDATE runs SET hash = ?2, configuration = ?3 WHERE id = ?1", same.front().id, hash,
                     same.front().configuration);
  }
}

}  // namespace gdkm
