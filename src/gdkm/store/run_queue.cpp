#include "gdkm/store/run_queue.hpp"

#include <fmt/format.h>
#include "gdkm/fitting/run_result_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace gdkm {

namespace {
constexpr int max_deaths = 3;
}

RunQueue::RunQueue(Store& store, Owner self) : database_(store.database()), self_(std::move(self)) {}

void RunQueue::record_event(std::int64_t run, const std::string& kind, const Owner& owner) {
  database_.execute("INSERT INTO events(run, time, kind, owner) VALUES(?1, ?2, ?3, ?4)", run, wall_clock(),
                    kind, fmt::format("{} {} {}", owner.host, owner.pid, owner.start));
}

bool RunQueue::is_owner(const Owner& owner, std::int64_t run) {
  Statement row(
      database_,
      "SELECT 1 FROM runs WHERE id = ?1 AND status = 'running' AND owner_host = ?2 AND owner_pid = ?3 "
      "AND owner_start = ?4");
  row.with(run, owner.host, owner.pid, owner.start);
  return row.step();
}

void RunQueue::end_claim(std::int64_t run, const std::string& status, const std::string& event,
                         const Owner& owner) {
  database_.execute(
      "UPDATE runs SET status = ?2, owner_host = NULL, owner_pid = NULL, owner_start = NULL, "
      "heartbeat = NULL WHERE id = ?1",
      run, status);
  record_event(run, event, owner);
}

std::int64_t RunQueue::add(const Configuration& c) {
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

bool RunQueue::claim(std::int64_t run) {
  Transaction transaction(database_);
  std::string event = "claimed";
  {
    Statement row(database_,
                  "SELECT status, owner_host, owner_pid, owner_start, heartbeat FROM runs WHERE id = ?1");
    row.with(run);
    if (!row.step()) return false;
    const std::string status = row.text(0);
    if (status == "running") {
      const Owner owner{row.text(1), row.integer(2), row.integer(3)};
      if (!is_gone(owner, row.real(4), wall_clock())) return false;
      event = "taken over";
    } else if (status != "pending") {
      return false;
    }
  }
  database_.execute(
      "UPDATE runs SET status = 'running', owner_host = ?2, owner_pid = ?3, owner_start = ?4, "
      "heartbeat = ?5, started = ?5 WHERE id = ?1",
      run, self_.host, self_.pid, self_.start, wall_clock());
  record_event(run, event, self_);
  transaction.commit();
  return true;
}

void RunQueue::heartbeat(const Owner& owner) {
  database_.execute(
      "UPDATE runs SET heartbeat = ?4 WHERE status = 'running' AND owner_host = ?1 AND owner_pid = ?2 AND "
      "owner_start = ?3",
      owner.host, owner.pid, owner.start, wall_clock());
}

bool RunQueue::release(std::int64_t run) {
  Transaction transaction(database_);
  if (!is_owner(self_, run)) return false;
  end_claim(run, "pending", "released", self_);
  database_.execute("UPDATE runs SET started = NULL WHERE id = ?1", run);
  transaction.commit();
  return true;
}

bool RunQueue::finish(std::int64_t run, const RunOutcome& outcome) {
  Transaction transaction(database_);
  if (!is_owner(self_, run)) return false;
  end_claim(run, "done", "done", self_);
  database_.execute("UPDATE runs SET message = NULL, ended = ?2, result = ?3, environment = ?4 WHERE id = ?1",
                    run, wall_clock(), to_json(outcome.result).dump(), to_json(outcome.environment).dump());
  if (outcome.reliability) {
    const nlohmann::json bins{{"val", to_json(outcome.reliability->val)},
                              {"test", to_json(outcome.reliability->test)}};
    database_.execute("UPDATE runs SET reliability = ?2 WHERE id = ?1", run, bins.dump());
  }
  database_.execute("DELETE FROM curves WHERE run = ?1", run);
  Statement insert(database_, "INSERT INTO curves(run, epoch, loss, val) VALUES(?1, ?2, ?3, ?4)");
  for (const CurvePoint& point : outcome.curve) {
    insert.with(run, point.epoch, point.loss, point.val.value_or(std::nan(""))).step();
    insert.reset();
  }
  transaction.commit();
  return true;
}

bool RunQueue::fail(std::int64_t run, const std::string& message, const Environment& environment,
                    RunFailure kind) {
  Transaction transaction(database_);
  if (!is_owner(self_, run)) return false;
  end_claim(run, "failed", "failed", self_);
  database_.execute(
      "UPDATE runs SET ended = ?2, message = ?3, environment = ?4, numerical = ?5 WHERE id = ?1", run,
      wall_clock(), message, to_json(environment).dump(), kind == RunFailure::numerical ? 1 : 0);
  transaction.commit();
  return true;
}

bool RunQueue::owner_died(std::int64_t run, const Owner& owner, bool deterministic,
                          const std::string& message) {
  Transaction transaction(database_);
  if (!is_owner(owner, run)) return false;
  Statement row(database_,
                "UPDATE runs SET deaths = deaths + 1, message = ?2 WHERE id = ?1 RETURNING deaths");
  row.with(run, message);
  const bool failed = row.step() && (deterministic || row.integer(0) >= max_deaths);
  row.reset();
  end_claim(run, failed ? "failed" : "pending", failed ? "failed" : "lost", owner);
  database_.execute("UPDATE runs SET ended = ?2 WHERE id = ?1", run, failed ? wall_clock() : std::nan(""));
  transaction.commit();
  return true;
}

bool RunQueue::retry(std::int64_t run) {
  database_.execute(
      "UPDATE runs SET status = 'pending', message = NULL, numerical = 0, ended = NULL, deaths = 0 "
      "WHERE id = ?1 AND status = 'failed'",
      run);
  return database_.changes() > 0;
}

}  // namespace gdkm
