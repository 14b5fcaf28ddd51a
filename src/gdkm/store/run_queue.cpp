#include "gdkm/store/run_queue.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gdkm/fitting/run_result_json.hpp"

namespace gdkm {

namespace {

constexpr int max_deaths = 3;
constexpr auto rows = Database::Locking::rows;

std::string event_owner(const Owner& owner) {
  return fmt::format("{} {} {}", owner.host, owner.pid, owner.start);
}

}  // namespace

RunQueue::RunQueue(Store& store, Owner self) : database_(store.database()), self_(std::move(self)) {}

void RunQueue::record_event(std::int64_t run, const std::string& kind, const Owner& owner, double time) {
  database_.execute("INSERT INTO events(run, time, kind, owner) VALUES(?1, ?2, ?3, ?4)", run, time, kind,
                    event_owner(owner));
}

bool RunQueue::is_recorded(std::int64_t run, const std::string& kind, const Owner& owner, double time) {
  Statement row(database_, "SELECT 1 FROM events WHERE run = ?1 AND time = ?2 AND kind = ?3 AND owner = ?4");
  return row.with(run, time, kind, event_owner(owner)).step();
}

bool RunQueue::is_owner(const Owner& owner, std::int64_t run) {
  Statement row(database_,
                fmt::format("SELECT 1 FROM runs WHERE id = ?1 AND status = 'running' AND owner_host = ?2 AND "
                            "owner_pid = ?3 AND owner_start = ?4{}",
                            database_.dialect().wait_for_row));
  return row.with(run, owner.host, owner.pid, owner.start).step();
}

template <class Change>
bool RunQueue::end_claim(std::int64_t run, const std::string& status, const std::string& event,
                         const Owner& owner, const Change& change) {
  const double now = database_.now();
  return transact(database_, rows, [&](bool again) {
    if (again && is_recorded(run, event, owner, now)) return true;
    if (!is_owner(owner, run)) return false;
    database_.execute(
        "UPDATE runs SET status = ?2, owner_host = NULL, owner_pid = NULL, owner_start = NULL, "
        "heartbeat = NULL WHERE id = ?1",
        run, status);
    record_event(run, event, owner, now);
    change(now);
    return true;
  });
}

std::int64_t RunQueue::add(const Configuration& c, const std::string& needs) {
  const std::string canonical = c.canonical(), hash = c.hash();
  const auto known = [&] {
    Statement row(database_, "SELECT id, status, needs FROM runs WHERE hash = ?1");
    row.with(hash);
    if (!row.step()) return std::int64_t{0};
    const std::int64_t id = row.integer(0);
    if (row.text(1) == "pending" && row.text(2) != needs)
      database_.execute("UPDATE runs SET needs = ?2 WHERE id = ?1", id, needs);
    return id;
  };
  if (const auto id = known()) return id;
  database_.execute(
      "INSERT INTO runs(hash, dataset, model, seed, split, configuration, status, created, data, needs) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, 'pending', ?7, ?8, ?9) ON CONFLICT(hash) DO NOTHING",
      hash, c.dataset, c.model, static_cast<std::int64_t>(c.seed), c.split, canonical, database_.now(),
      c.data, needs);
  return known();
}

bool RunQueue::claim(std::int64_t run) {
  const double now = database_.now();
  return transact(database_, rows, [&](bool again) {
    if (again && (is_recorded(run, "claimed", self_, now) || is_recorded(run, "taken over", self_, now)))
      return is_owner(self_, run);
    std::string event = "claimed";
    {
      Statement row(database_,
                    fmt::format("SELECT status, owner_host, owner_pid, owner_start, heartbeat FROM runs "
                                "WHERE id = ?1{}",
                                database_.dialect().skip_taken_rows));
      row.with(run);
      if (!row.step()) return false;
      const std::string status = row.text(0);
      if (status == "running") {
        const Owner owner{row.text(1), row.integer(2), row.integer(3)};
        if (!is_gone(owner, row.real(4), now)) return false;
        event = "taken over";
      } else if (status != "pending") {
        return false;
      }
    }
    database_.execute(
        "UPDATE runs SET status = 'running', owner_host = ?2, owner_pid = ?3, owner_start = ?4, "
        "heartbeat = ?5, started = ?5 WHERE id = ?1",
        run, self_.host, self_.pid, self_.start, now);
    record_event(run, event, self_, now);
    return true;
  });
}

std::optional<std::int64_t> RunQueue::claim_any(const std::vector<DataKey>& data, const std::string& device) {
  if (data.empty()) return std::nullopt;
  const double now = database_.now();
  // Plain comparisons, so that an engine goes through pending runs in their order and stops at the first.
  std::string wanted;
  for (std::size_t k = 0; k < data.size(); ++k)
    wanted += fmt::format("{}(dataset = ?{} AND data = ?{})", k == 0 ? "" : " OR ", 6 + 2 * k, 7 + 2 * k);
  const std::string sql = fmt::format(
      "UPDATE runs SET status = 'running', owner_host = ?1, owner_pid = ?2, owner_start = ?3, heartbeat = "
      "?4, started = ?4 WHERE id = (SELECT id FROM runs WHERE status = 'pending' AND (needs = '' OR needs = "
      "?5) AND ({}) ORDER BY id LIMIT 1{}) RETURNING id",
      wanted, database_.dialect().skip_taken_rows);
  return transact(database_, rows, [&](bool again) -> std::optional<std::int64_t> {
    if (again) {
      Statement event(database_,
                      "SELECT run FROM events WHERE time = ?1 AND kind = 'claimed' AND owner = ?2");
      if (event.with(now, event_owner(self_)).step()) {
        const std::int64_t run = event.integer(0);
        return is_owner(self_, run) ? std::optional(run) : std::nullopt;
      }
    }
    Statement row(database_, sql);
    row.with(self_.host, self_.pid, self_.start, now, device);
    for (std::size_t k = 0; k < data.size(); ++k) {
      row.bind(static_cast<int>(6 + 2 * k), data[k].name);
      row.bind(static_cast<int>(7 + 2 * k), data[k].fingerprint);
    }
    if (!row.step()) return std::nullopt;
    const std::int64_t run = row.integer(0);
    row.reset();
    record_event(run, "claimed", self_, now);
    return run;
  });
}

std::vector<DataKey> RunQueue::waiting_data(const std::string& device) {
  Statement row(database_,
                "SELECT dataset, data FROM runs WHERE status = 'pending' AND (needs = '' OR needs = ?1) "
                "GROUP BY dataset, data ORDER BY min(id)");
  row.with(device);
  std::vector<DataKey> out;
  while (row.step()) out.push_back({row.text(0), row.text(1)});
  return out;
}

std::int64_t RunQueue::unfinished() {
  return database_.integer("SELECT count(*) FROM runs WHERE status IN ('pending', 'running')");
}

void RunQueue::heartbeat(const Owner& owner) {
  database_.execute(
      "UPDATE runs SET heartbeat = ?4 WHERE status = 'running' AND owner_host = ?1 AND owner_pid = ?2 AND "
      "owner_start = ?3",
      owner.host, owner.pid, owner.start, database_.now());
}

bool RunQueue::release(std::int64_t run) {
  return end_claim(run, "pending", "released", self_,
                   [&](double) { database_.execute("UPDATE runs SET started = NULL WHERE id = ?1", run); });
}

bool RunQueue::finish(std::int64_t run, const RunOutcome& outcome) {
  return end_claim(run, "done", "done", self_, [&](double now) {
    database_.execute(
        "UPDATE runs SET message = NULL, ended = ?2, result = ?3, environment = ?4 WHERE id = ?1", run, now,
        to_json(outcome.result).dump(), to_json(outcome.environment).dump());
    if (outcome.reliability) {
      const nlohmann::json bins{{"val", to_json(outcome.reliability->val)},
                                {"test", to_json(outcome.reliability->test)}};
      database_.execute("UPDATE runs SET reliability = ?2 WHERE id = ?1", run, bins.dump());
    }
    database_.execute("DELETE FROM curves WHERE run = ?1", run);
    BulkInsert insert(database_, "INSERT INTO curves(run, epoch, loss, val)");
    for (const CurvePoint& point : outcome.curve)
      insert.add(run, point.epoch, point.loss, point.val.value_or(std::nan("")));
    insert.flush();
  });
}

bool RunQueue::fail(std::int64_t run, const std::string& message, const Environment& environment,
                    RunFailure kind) {
  return end_claim(run, "failed", "failed", self_, [&](double now) {
    database_.execute(
        "UPDATE runs SET ended = ?2, message = ?3, environment = ?4, numerical = ?5 WHERE id = ?1", run, now,
        message, to_json(environment).dump(), kind == RunFailure::numerical ? 1 : 0);
  });
}

bool RunQueue::owner_died(std::int64_t run, const Owner& owner, bool deterministic,
                          const std::string& message) {
  Statement row(database_, "SELECT deaths FROM runs WHERE id = ?1");
  const bool failed = row.with(run).step() && (deterministic || row.integer(0) + 1 >= max_deaths);
  row.reset();
  const std::string status = failed ? "failed" : "pending", event = failed ? "failed" : "lost";
  return end_claim(run, status, event, owner, [&](double now) {
    database_.execute("UPDATE runs SET deaths = deaths + 1, message = ?2, ended = ?3 WHERE id = ?1", run,
                      message, failed ? now : std::nan(""));
  });
}

std::vector<std::int64_t> RunQueue::runs_of(const Owner& owner) {
  Statement row(database_,
                "SELECT id FROM runs WHERE status = 'running' AND owner_host = ?1 AND owner_pid = ?2 AND "
                "owner_start = ?3 ORDER BY id");
  row.with(owner.host, owner.pid, owner.start);
  std::vector<std::int64_t> out;
  while (row.step()) out.push_back(row.integer(0));
  return out;
}

std::vector<std::int64_t> RunQueue::take_back() {
  std::vector<std::pair<std::int64_t, Owner>> gone;
  {
    Statement row(
        database_,
        "SELECT id, owner_host, owner_pid, owner_start, heartbeat FROM runs WHERE status = 'running'");
    const double now = database_.now();
    while (row.step()) {
      const Owner owner{row.text(1), row.integer(2), row.integer(3)};
      if (is_gone(owner, row.real(4), now)) gone.emplace_back(row.integer(0), owner);
    }
  }
  std::vector<std::int64_t> out;
  for (const auto& [run, owner] : gone) {
    if (owner_died(run, owner, false, name_of(owner) + " ended without a result")) out.push_back(run);
  }
  return out;
}

bool RunQueue::retry(std::int64_t run) {
  database_.execute(
      "UPDATE runs SET status = 'pending', message = NULL, numerical = 0, ended = NULL, deaths = 0 "
      "WHERE id = ?1 AND status = 'failed'",
      run);
  return database_.changes() > 0;
}

}  // namespace gdkm
