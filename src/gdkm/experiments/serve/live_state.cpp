#include "gdkm/experiments/serve/live_state.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace gdkm {

namespace {

using Json = nlohmann::ordered_json;

constexpr double hour = 3600;
constexpr int shown_runs = 40, shown_failures = 20;

/// "node7 1a2b pid:[1] 17 4" is on node7.
std::string machine_of(const std::string& owner) {
  return owner.substr(0, owner.find(' '));
}

Json counts(Database& database) {
  Json out{{"pending", 0}, {"running", 0}, {"done", 0}, {"failed", 0}};
  Statement rows(database, "SELECT status, count(*) FROM runs GROUP BY status");
  while (rows.step()) out[rows.text(0)] = rows.integer(1);
  return out;
}

/// Runs that ended in the last hour, as a rate over the time since the first of them began.
Json rate(Database& database, double now, std::int64_t left) {
  Statement row(database,
                "SELECT count(*), min(started), sum(CASE WHEN ended > ?2 THEN 1 ELSE 0 END) FROM runs WHERE "
                "ended > ?1 AND status IN ('done', 'failed')");
  row.with(now - hour, now - 60).step();
  const auto ended = static_cast<double>(row.integer(0));
  const double since = std::max(1.0, std::min(hour, now - row.real(1)));
  const double per_hour = ended > 0 ? ended / since * hour : 0;
  return {{"per_hour", std::round(per_hour * 10) / 10},
          {"last_minute", row.is_null(2) ? 0 : row.integer(2)},
          {"seconds_left", left == 0      ? Json(0)
                           : per_hour > 0 ? Json(std::round(static_cast<double>(left) / per_hour * hour))
                                          : Json(nullptr)}};
}

Json stages(Database& database) {
  Json out = Json::array();
  Statement rows(database,
                 "SELECT s.sweep, s.study, s.dataset, s.stage, s.stage_name, count(*), "
                 "sum(CASE WHEN r.status = 'done' THEN 1 ELSE 0 END), "
                 "sum(CASE WHEN r.status = 'failed' THEN 1 ELSE 0 END), "
                 "sum(CASE WHEN r.status = 'running' THEN 1 ELSE 0 END) FROM stages AS s JOIN runs AS r ON "
                 "r.id = s.run GROUP BY s.sweep, s.study, s.dataset, s.stage, s.stage_name "
                 "ORDER BY s.sweep, s.study, s.dataset, s.stage");
  while (rows.step()) {
    out.push_back({{"sweep", rows.text(0)},
                   {"study", rows.text(1)},
                   {"dataset", rows.text(2)},
                   {"stage", rows.text(4)},
                   {"total", rows.integer(5)},
                   {"done", rows.integer(6)},
                   {"failed", rows.integer(7)},
                   {"running", rows.integer(8)}});
  }
  return out;
}

struct Machine {
  std::int64_t running = 0, ended = 0, recent = 0, lost = 0;
  double seen = 0;
};

/// By name: what a machine executes, what it ended in all and in the last hour, and its last sign of life.
Json machines(Database& database, double now) {
  std::map<std::string, Machine> found;
  Statement owners(database,
                   "SELECT owner_host, count(*), max(heartbeat) FROM runs WHERE status = 'running' GROUP BY "
                   "owner_host");
  while (owners.step()) {
    Machine& machine = found[machine_of(owners.text(0))];
    machine.running += owners.integer(1);
    machine.seen = std::max(machine.seen, owners.real(2));
  }
  Statement events(
      database,
      "SELECT owner, kind, count(*), sum(CASE WHEN time > ?1 THEN 1 ELSE 0 END), max(time) FROM events "
      "WHERE kind IN ('done', 'failed', 'lost') GROUP BY owner, kind");
  events.with(now - hour);
  while (events.step()) {
    Machine& machine = found[machine_of(events.text(0))];
    if (events.text(1) == "lost") {
      machine.lost += events.integer(2);
      continue;
    }
    machine.ended += events.integer(2);
    machine.recent += events.integer(3);
    machine.seen = std::max(machine.seen, events.real(4));
  }
  Json out = Json::array();
  for (const auto& [name, machine] : found) {
    out.push_back({{"name", name},
                   {"running", machine.running},
                   {"ended", machine.ended},
                   {"last_hour", machine.recent},
                   {"lost", machine.lost},
                   {"seen_ago", std::round(std::max(0.0, now - machine.seen))}});
  }
  return out;
}

Json running(Database& database, double now) {
  Json out = Json::array();
  Statement rows(
      database,
      "SELECT id, dataset, model, owner_host, started FROM runs WHERE status = 'running' ORDER BY started "
      "LIMIT ?1");
  rows.with(shown_runs);
  while (rows.step()) {
    out.push_back({{"run", rows.integer(0)},
                   {"dataset", rows.text(1)},
                   {"model", rows.text(2)},
                   {"machine", machine_of(rows.text(3))},
                   {"seconds", std::round(std::max(0.0, now - rows.real(4)))}});
  }
  return out;
}

Json failures(Database& database) {
  Json out = Json::array();
  Statement rows(
      database,
      "SELECT id, dataset, model, message FROM runs WHERE status = 'failed' ORDER BY ended DESC, id DESC "
      "LIMIT ?1");
  rows.with(shown_failures);
  while (rows.step()) {
    out.push_back({{"run", rows.integer(0)},
                   {"dataset", rows.text(1)},
                   {"model", rows.text(2)},
                   {"message", rows.text(3)}});
  }
  return out;
}

}  // namespace

Json live_state(const Store& store) {
  Database& database = store.database();
  return transact(database, Database::Locking::snapshot, [&](bool) {
    const double now = database.now();
    Json out{{"format", 1},
             {"store", store.location().title()},
             {"now", std::floor(now)},
             {"runs", counts(database)}};
    const std::int64_t left =
        out["runs"]["pending"].get<std::int64_t>() + out["runs"]["running"].get<std::int64_t>();
    out["rate"] = rate(database, now, left);
    out["stages"] = stages(database);
    out["machines"] = machines(database, now);
    out["running"] = running(database, now);
    out["failures"] = failures(database);
    return out;
  });
}

}  // namespace gdkm
