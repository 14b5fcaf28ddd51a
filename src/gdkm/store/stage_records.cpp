#include "gdkm/store/stage_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr std::string_view select_records =
    "SELECT sweep, study, dataset, stage, stage_name, candidate, varied, chosen, run FROM stages ";

std::vector<StageRun> read_all(Statement& rows) {
  std::vector<StageRun> out;
  while (rows.step()) {
    out.push_back({rows.text(0), rows.text(1), rows.text(2), static_cast<int>(rows.integer(3)), rows.text(4),
                   static_cast<int>(rows.integer(5)), nlohmann::json::parse(rows.text(6)),
                   rows.integer(7) != 0, rows.integer(8)});
  }
  return out;
}

void keep_study(std::vector<StageRun>& uses, const std::string& study) {
  std::set<std::string> known;
  for (const StageRun& use : uses) known.insert(use.study);
  if (!known.contains(study))
    throw InputError(fmt::format("sweep '{}' has no study '{}'; its studies are {}", uses.front().sweep,
                                 study, fmt::join(known, ", ")));
  std::erase_if(uses, [&](const StageRun& use) { return use.study != study; });
}

}  // namespace

void StageRecords::record(const std::vector<StageRun>& runs) {
  if (runs.empty()) return;
  transact(database_, Database::Locking::exclusive, [&](bool) {
    const StageRun& first = runs.front();
    database_.execute("DELETE FROM stages WHERE sweep = ?1 AND study = ?2 AND stage = ?3 AND dataset = ?4",
                      first.sweep, first.study, first.stage, first.dataset);
    BulkInsert insert(
        database_,
        "INSERT INTO stages(sweep, study, stage, dataset, candidate, run, stage_name, varied, chosen)");
    for (const StageRun& run : runs)
      insert.add(run.sweep, run.study, run.stage, run.dataset, run.candidate, run.run, run.stage_name,
                 run.varied.dump(), run.chosen ? 1 : 0);
    insert.flush();
  });
}

void StageRecords::choose(const std::string& sweep, const std::string& study, int stage,
                          const std::string& dataset, int candidate) {
  database_.execute(
      "UPDATE stages SET chosen = CASE WHEN candidate = ?5 THEN 1 ELSE 0 END WHERE sweep = ?1 AND study = ?2 "
      "AND stage = ?3 AND dataset = ?4",
      sweep, study, stage, dataset, candidate);
}

std::vector<StageRun> StageRecords::stages(const std::string& sweep) const {
  Statement rows(database_,
                 std::string(select_records) +
                     "WHERE (?1 = '' OR sweep = ?1) ORDER BY sweep, study, dataset, stage, candidate, run");
  rows.with(sweep);
  return read_all(rows);
}

std::vector<StageRun> StageRecords::stages(const std::vector<std::string>& names) const {
  if (names.empty()) return stages();
  const auto known = sweeps();
  std::vector<StageRun> out;
  const auto has = [&](const std::string& sweep) {
    return std::find(known.begin(), known.end(), sweep) != known.end();
  };
  std::set<std::pair<std::string, std::string>> taken;  // sweeps and studies
  for (const std::string& name : names) {
    const auto slash = has(name) ? std::string::npos : name.find('/');
    const std::string sweep = name.substr(0, slash);
    if (!has(sweep))
      throw InputError(
          fmt::format("the store has no sweep '{}'; its sweeps are {}", sweep, fmt::join(known, ", ")));
    std::vector<StageRun> uses = stages(sweep);
    if (slash != std::string::npos) keep_study(uses, name.substr(slash + 1));
    std::erase_if(uses, [&](const StageRun& use) { return taken.contains({use.sweep, use.study}); });
    for (const StageRun& use : uses) taken.emplace(use.sweep, use.study);
    std::move(uses.begin(), uses.end(), std::back_inserter(out));
  }
  return out;
}

std::vector<StageRun> StageRecords::stages_of(std::int64_t run) const {
  Statement rows(database_, std::string(select_records) + "WHERE run = ?1 ORDER BY sweep, study, stage");
  rows.with(run);
  return read_all(rows);
}

std::vector<std::string> StageRecords::sweeps() const {
  Statement rows(database_, "SELECT DISTINCT sweep FROM stages ORDER BY sweep");
  std::vector<std::string> out;
  while (rows.step()) out.push_back(rows.text(0));
  return out;
}

bool more_homophilous(const DatasetFacts& a, const DatasetFacts& b) {
  return std::isnan(b.homophily) ? !std::isnan(a.homophily) : a.homophily > b.homophily;
}

void StageRecords::record(const DatasetFacts& facts) {
  // JSON has no NaN and writes null for it.
  nlohmann::json json{
      {"task", facts.task},         {"nodes", facts.nodes},         {"edges", facts.edges},
      {"features", facts.features}, {"nonzeros", facts.nonzeros},   {"classes", facts.classes},
      {"graphs", facts.graphs},     {"homophily", facts.homophily}, {"splits", facts.splits}};
  if (facts.table) json["table"] = true;
  database_.execute(
      "INSERT INTO datasets(name, fingerprint, facts) VALUES(?1, ?2, ?3) ON CONFLICT(name) DO UPDATE SET "
      "fingerprint = excluded.fingerprint, facts = excluded.facts",
      facts.name, facts.fingerprint, json.dump());
}

std::vector<DatasetFacts> StageRecords::datasets() const {
  Statement rows(database_, "SELECT name, fingerprint, facts FROM datasets ORDER BY name");
  std::vector<DatasetFacts> out;
  while (rows.step()) {
    const auto json = nlohmann::json::parse(rows.text(2));
    DatasetFacts facts{rows.text(0),        rows.text(1),       json.at("task"),
                       json.at("nodes"),    json.at("edges"),   json.at("features"),
                       json.at("nonzeros"), json.at("classes"), json.at("graphs"),
                       std::nan(""),        json.at("splits"),  json.value("table", false)};
    if (!json.at("homophily").is_null()) facts.homophily = json.at("homophily");
    out.push_back(std::move(facts));
  }
  return out;
}

}  // namespace gdkm
