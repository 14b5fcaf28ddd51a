#include "gdkm/store/run_claims.hpp"

#include <fmt/format.h>
#include "gdkm/fitting/run_result_json.hpp"

namespace gdkm {

namespace {
constexpr int most_deaths = 3;

std::string full_name(const Owner& owner) {
  return fmt::format("{} {} {}", owner.host, owner.pid, owner.start);
}
}  // namespace

RunClaims::RunClaims(Store& store, Owner self) : database_(store.database()), self_(std::move(self)) {}

void RunClaims::note(std::int64_t run, const std::string& kind, const Owner& owner) {
  database_.execute("INSERT INTO events(run, time, kind, owner) VALUES(?1, ?2, ?3, ?4)", run, wall_clock(),
                    kind, full_name(owner));
}

bool RunClaims::is_mine(std::int64_t run, const Owner& owner) {
  Statement row(
      database_,
      "SELECT 1 FROM runs WHERE id = ?1 AND status = 'running' AND owner_host = ?2 AND owner_pid = ?3 "
      "AND owner_start = ?4");
  row.with(run, owner.host, owner.pid, owner.start);
  return row.step();
}

std::int64_t RunClaims::add(const Configuration& c) {
  const std::string canonical = c.canonical(), hash = c.hash();
  const auto known = [&] {
    Statement row(database_, "SELECT id FROM runs WHERE hash = ?1");
    row.with(hash);
    return row.step() ? row.integer(0) : 0;
  };
  if (const auto id = known()) return id;
  database_.execute(
      "INSERT INTO runs(hash, dataset, model, seed, split, configuration, status, created) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, 'pending', ?7) ON CONFLICT(hash) DO NOTHING",
      hash, c.dataset, c.model, static_cast<std::int64_t>(c.seed), c.split, canonical, wall_clock());
  return known();
}

bool RunClaims::claim(std::int64_t run) {
  Transaction transaction(database_);
  std::string kind = "claimed";
  {
    Statement row(database_,
                  "SELECT status, owner_host, owner_pid, owner_start, heartbeat FROM runs WHERE id = ?1");
    row.with(run);
    if (!row.step()) return false;
    const std::string status = row.text(0);
    if (status == "running") {
      const Owner owner{row.text(1), row.integer(2), row.integer(3)};
      if (!is_gone(owner, row.real(4), wall_clock())) return false;
      kind = "taken over";
    } else if (status != "pending") {
      return false;
    }
  }
  const double now = wall_clock();
  database_.execute(
      "UPDATE runs SET status = 'running', owner_host = ?2, owner_pid = ?3, owner_start = ?4, heartbeat = "
      "?5, "
      "started = ?5 WHERE id = ?1",
      run, self_.host, self_.pid, self_.start, now);
  note(run, kind, self_);
  transaction.commit();
  return true;
}

void RunClaims::beat(const Owner& owner) {
  database_.execute(
      "UPDATE runs SET heartbeat = ?4 WHERE status = 'running' AND owner_host = ?1 AND owner_pid = ?2 AND "
      "owner_start = ?3",
      owner.host, owner.pid, owner.start, wall_clock());
}

bool RunClaims::release(std::int64_t run) {
  Transaction transaction(database_);
  if (!is_mine(run, self_)) return false;
  database_.execute(
      "UPDATE runs SET status = 'pending', owner_host = NULL, owner_pid = NULL, owner_start = NULL, "
      "heartbeat "
      "= NULL, started = NULL WHERE id = ?1",
      run);
  note(run, "released", self_);
  transaction.commit();
  return true;
}

bool RunClaims::finish(std::int64_t run, const RunOutcome& outcome) {
  Transaction transaction(database_);
  if (!is_mine(run, self_)) return false;
  database_.execute(
      "UPDATE runs SET status = 'done', owner_host = NULL, owner_pid = NULL, owner_start = NULL, heartbeat = "
      "NULL, message = NULL, ended = ?2, result = ?3, environment = ?4 WHERE id = ?1",
      run, wall_clock(), to_json(outcome.result).dump(), outcome.environment.dump());
  if (outcome.reliability) {
    const nlohmann::json bins{{"val", to_json(outcome.reliability->val)},
                              {"test", to_json(outcome.reliability->test)}};
    database_.execute("UPDATE runs SET reliability = ?2 WHERE id = ?1", run, bins.dump());
  }
  database_.execute("DELETE FROM curves WHERE run = ?1", run);
  Statement insert(database_, "INSERT INTO curves(run, epoch, loss, val) VALUES(?1, ?2, ?3, ?4)");
  for (const CurvePoint& point : outcome.curve) {
    insert.with(run, point.epoch, point.loss);
    if (point.val) insert.bind(4, *point.val);
    insert.step();
    insert.reset();
  }
  note(run, "done", self_);
  transaction.commit();
  return true;
}

bool RunClaims::fail(std::int64_t run, const std::string& message, const nlohmann::json& environment,
                     RunFailure kind) {
  Transaction transaction(database_);
  if (!is_mine(run, self_)) return false;
  database_.execute(
      "UPDATE runs SET status = 'failed', owner_host = NULL, owner_pid = NULL, owner_start = NULL, heartbeat "
      "= "
      "NULL, ended = ?2, message = ?3, environment = ?4, numerical = ?5 WHERE id = ?1",
      run, wall_clock(), message, environment.dump(), kind == RunFailure::numerical ? 1 : 0);
  note(run, "failed", self_);
  transaction.commit();
  return true;
}

bool RunClaims::bury(std::int64_t run, const Owner& owner, bool deterministic, const std::string& message) {
  Transaction transaction(database_);
  if (!is_mine(run, owner)) return false;
  Statement row(database_, "UPDATE runs SET deaths = deaths + 1 WHERE id = ?1 RETURNING deaths");
  row.with(run);
  const std::int64_t deaths = row.step() ? row.integer(0) : 0;
  row.reset();
  const bool failed = deterministic || deaths >= most_deaths;
  database_.execute(
      "UPDATE runs SET status = ?2, owner_host = NULL, owner_pid = NULL, owner_start = NULL, heartbeat = "
      "NULL, "
      "message = ?3, ended = ?4 WHERE id = ?1",
      run, failed ? "failed" : "pending", message, failed ? wall_clock() : std::nan(""));
  note(run, failed ? "failed" : "lost", owner);
  transaction.commit();
  return true;
}

bool RunClaims::retry(std::int64_t run) {
  database_.execute(
      "UPDATE runs SET status = 'pending', message = NULL, numerical = 0, ended = NULL, deaths = 0 "
      "WHERE id = ?1 AND status = 'failed'",
      run);
  return database_.changes() > 0;
}

}  // namespace gdkm
