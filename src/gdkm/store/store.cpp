#include "gdkm/store/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/store/schema.hpp"
#include "gdkm/store/store_copy.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr std::string_view select_runs =
    "SELECT id, hash, configuration, status, message, created, started, ended, owner_host, owner_pid, "
    "owner_start, heartbeat, environment, result, reliability, numerical FROM runs ";

double or_zero(const Statement& row, int column) {
  return row.is_null(column) ? 0 : row.real(column);
}

/// A run that failed early has no environment, but JSON's null.
std::optional<Environment> read_environment(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  return json.is_object() ? std::optional(environment_from_json(json)) : std::nullopt;
}

StoredRun read_run(const Statement& row) {
  StoredRun out;
  out.id = row.integer(0);
  out.hash = row.text(1);
  out.status = run_status(row.text(3));
  out.message = row.text(4);
  out.created = or_zero(row, 5);
  out.started = or_zero(row, 6);
  out.ended = or_zero(row, 7);
  if (!row.is_null(8)) out.owner = Owner{row.text(8), row.integer(9), row.integer(10)};
  out.heartbeat = or_zero(row, 11);
  out.failure = row.integer(15) != 0 ? RunFailure::numerical : RunFailure::other;
  try {
    if (!row.is_null(12)) out.environment = read_environment(row.text(12));
    if (!row.is_null(13)) out.result = run_from_json(nlohmann::ordered_json::parse(row.text(13)));
    if (!row.is_null(14)) {
      const auto json = nlohmann::json::parse(row.text(14));
      out.reliability = {reliability_from_json(json.at("val")), reliability_from_json(json.at("test"))};
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("cannot read run {} of the store ({}); remove it with gdkm runs rm", out.id,
                                 error.what()));
  }
  DataKind data;
  if (out.result && out.result->test) data.regression = out.result->test->r2.has_value();
  out.configuration = configuration_from(row.text(2), data);
  return out;
}

}  // namespace

Store::Store(std::unique_ptr<Database> database) : database_(std::move(database)) {
  upgrade_schema(*database_);
}

Store Store::open(const StoreLocation& location, const DatabaseObserver& observer) {
  return Store(Database::open(location, Database::Mode::existing, observer));
}

Store Store::open_or_create(const StoreLocation& location, const DatabaseObserver& observer) {
  return Store(Database::open(location, Database::Mode::create, observer));
}

Store Store::in_memory(const StoreLocation& location) {
  Store out(Database::in_memory(location));
  if (!location.is_server()) return out;
  try {
    copy_store(open(location), out);
  } catch (const NoSuchStore&) {
    // The copy of nothing is empty.
  }
  return out;
}

std::vector<StoredRun> Store::runs(const RunFilter& filter) const {
  std::string sql(select_runs);
  sql +=
      "WHERE (?1 = '' OR lower(dataset) = lower(?1)) AND (?2 = '' OR model = ?2) "
      "AND (?3 = '' OR status = ?3) ORDER BY id";
  Statement rows(*database_, sql);
  rows.with(filter.dataset, filter.model, filter.status ? name_of(*filter.status) : std::string());
  std::vector<StoredRun> out;
  while (rows.step()) {
    StoredRun run = read_run(rows);
    if (filter.matches(run.configuration)) out.push_back(std::move(run));
  }
  return out;
}

std::optional<StoredRun> Store::run(std::int64_t id) const {
  Statement row(*database_, std::string(select_runs) + "WHERE id = ?1");
  row.with(id);
  return row.step() ? std::optional(read_run(row)) : std::nullopt;
}

std::map<std::int64_t, RunStatus> Store::statuses(std::int64_t first, std::int64_t last) const {
  Statement rows(*database_, "SELECT id, status FROM runs WHERE id BETWEEN ?1 AND ?2");
  rows.with(first, last);
  std::map<std::int64_t, RunStatus> out;
  while (rows.step()) out[rows.integer(0)] = run_status(rows.text(1));
  return out;
}

StoredRun Store::find(const std::string& wanted) const {
  const auto consists_of = [&](int (*kind)(int)) {
    return std::all_of(wanted.begin(), wanted.end(), [&](unsigned char c) { return kind(c) != 0; });
  };
  if (!wanted.empty() && wanted.size() < 10 && consists_of(std::isdigit)) {
    if (auto found = run(std::stoll(wanted))) return *found;
  }
  if (wanted.size() >= 4 && consists_of(std::isxdigit)) {
    Statement rows(*database_, std::string(select_runs) + "WHERE hash LIKE ?1 || '%' LIMIT 2");
    std::string begin = wanted;
    for (char& c : begin) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    rows.with(begin);
    if (rows.step()) {
      StoredRun found = read_run(rows);
      if (rows.step())
        throw InputError(fmt::format("{}: several hashes begin with this; give more characters", wanted));
      return found;
    }
  }
  throw InputError(fmt::format("{}: no such run in {}; gdkm runs list shows all runs", wanted, name()));
}

std::vector<CurvePoint> Store::curve(std::int64_t run) const {
  Statement rows(*database_, "SELECT epoch, loss, val FROM curves WHERE run = ?1 ORDER BY epoch");
  rows.with(run);
  std::vector<CurvePoint> out;
  while (rows.step()) {
    out.push_back({static_cast<int>(rows.integer(0)), rows.real(1),
                   rows.is_null(2) ? std::nullopt : std::optional(rows.real(2))});
  }
  return out;
}

std::vector<Store::Event> Store::events(std::int64_t run) const {
  Statement rows(*database_, "SELECT time, kind, owner FROM events WHERE run = ?1 ORDER BY id");
  rows.with(run);
  std::vector<Event> out;
  while (rows.step()) out.push_back({rows.real(0), rows.text(1), rows.text(2)});
  return out;
}

bool Store::remove(std::int64_t id) const {
  return transact(*database_, Database::Locking::rows, [&](bool) {
    Statement row(*database_,
                  fmt::format("{}WHERE id = ?1{}", select_runs, database_->dialect().wait_for_row));
    row.with(id);
    if (!row.step()) return false;
    const StoredRun found = read_run(row);
    if (found.status == RunStatus::running && !is_gone(*found.owner, found.heartbeat, database_->now()))
      throw InputError(
          fmt::format("run {} is being executed by {}; stop it first", id, name_of(*found.owner)));
    row.reset();
    database_->execute("DELETE FROM runs WHERE id = ?1", id);
    return true;
  });
}

}  // namespace gdkm
