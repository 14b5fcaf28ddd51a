#include "gdkm/store/store_copy.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace gdkm {

namespace {

/// The columns of a run that are copied as they are; all but its number, status and owner.
constexpr std::string_view run_columns =
    "hash, dataset, model, seed, split, configuration, created, started, ended, deaths, message, "
    "environment, "
    "result, reliability, numerical, data, needs";
constexpr int n_run_columns = 17, started_column = 7, ended_column = 8;
constexpr bool is_number[n_run_columns] = {false, false, false, true,  true,  false, true,  true, true,
                                           true,  false, false, false, false, true,  false, false};
constexpr bool is_real[n_run_columns] = {false, false, false, false, false, false, true,  true, true,
                                         false, false, false, false, false, false, false, false};

/// A value of a row on its way to another store; NULL stays NULL.
void bind_copy(Statement& to, int at, const Statement& from, int column) {
  if (from.is_null(column)) return to.bind(at, std::nan(""));
  if (is_real[column]) return to.bind(at, from.real(column));
  if (is_number[column]) return to.bind(at, from.integer(column));
  to.bind(at, from.text(column));
}

std::string parameters(int from, int count) {
  std::string out;
  for (int k = 0; k < count; ++k) out += fmt::format("{}?{}", k == 0 ? "" : ", ", from + k);
  return out;
}

class Copier {
 public:
  Copier(const Store& from, const Store& to) : from_(from.database()), to_(to.database()) {}

  StoreCopyCount copy() {
    StoreCopyCount out;
    keep_numbers_ = to_.integer("SELECT count(*) FROM runs") == 0;
    copy_datasets();
    copy_runs(out);
    copy_places();
    if (keep_numbers_) to_.continue_numbers("runs");
    return out;
  }

 private:
  void copy_datasets() {
    Statement rows(from_, "SELECT name, fingerprint, facts FROM datasets ORDER BY name");
    while (rows.step()) {
      to_.execute(
          "INSERT INTO datasets(name, fingerprint, facts) VALUES(?1, ?2, ?3) ON CONFLICT(name) DO NOTHING",
          rows.text(0), rows.text(1), rows.text(2));
    }
  }

  void copy_runs(StoreCopyCount& count) {
    Statement rows(from_, fmt::format("SELECT {}, status, id FROM runs ORDER BY id", run_columns));
    while (rows.step()) {
      const std::string status = rows.text(n_run_columns);
      const std::int64_t id = rows.integer(n_run_columns + 1);
      const bool ended = status == "done" || status == "failed";
      const auto [there, its_status] = find(rows.text(0));
      if (there == 0) {
        ++count.added;
        numbers_[id] = insert(rows, ended ? status : "pending", id);
      } else {
        numbers_[id] = there;
        const bool better = status == "done" && (its_status == "pending" || its_status == "failed");
        ++(better ? count.completed : count.known);
        if (!better) continue;
        to_.execute("DELETE FROM events WHERE run = ?1", there);
        to_.execute("DELETE FROM curves WHERE run = ?1", there);
        replace(rows, there);
      }
      copy_details(id, numbers_[id], ended);
    }
  }

  std::pair<std::int64_t, std::string> find(const std::string& hash) {
    Statement row(to_, "SELECT id, status FROM runs WHERE hash = ?1");
    return row.with(hash).step() ? std::pair(row.integer(0), row.text(1))
                                 : std::pair(std::int64_t{0}, std::string());
  }

  std::int64_t insert(const Statement& row, const std::string& status, std::int64_t id) {
    Statement insert(to_, fmt::format("INSERT INTO runs({}, status{}) VALUES({}) RETURNING id", run_columns,
                                      keep_numbers_ ? ", id" : "",
                                      parameters(1, n_run_columns + 1 + (keep_numbers_ ? 1 : 0))));
    for (int column = 0; column < n_run_columns; ++column) {
      const bool other_place = status == "pending" && (column == started_column || column == ended_column);
      if (other_place)
        insert.bind(column + 1, std::nan(""));
      else
        bind_copy(insert, column + 1, row, column);
    }
    insert.bind(n_run_columns + 1, status);
    if (keep_numbers_) insert.bind(n_run_columns + 2, id);
    insert.step();
    return insert.integer(0);
  }

  void replace(const Statement& row, std::int64_t id) {
    // Both engines take several columns at once.
    Statement update(to_, fmt::format("UPDATE runs SET ({}) = ({}), status = 'done' WHERE id = ?{}",
                                      run_columns, parameters(1, n_run_columns), n_run_columns + 1));
    for (int column = 0; column < n_run_columns; ++column) bind_copy(update, column + 1, row, column);
    update.bind(n_run_columns + 1, id);
    update.step();
  }

  void copy_details(std::int64_t from, std::int64_t to, bool ended) {
    if (!ended) return;  // nothing has happened to it in its new place
    Statement events(from_, "SELECT time, kind, owner FROM events WHERE run = ?1 ORDER BY id");
    events.with(from);
    BulkInsert event(to_, "INSERT INTO events(run, time, kind, owner)");
    while (events.step()) event.add(to, events.real(0), events.text(1), events.text(2));
    event.flush();
    Statement points(from_, "SELECT epoch, loss, val FROM curves WHERE run = ?1 ORDER BY epoch");
    points.with(from);
    BulkInsert point(to_, "INSERT INTO curves(run, epoch, loss, val)");
    while (points.step()) point.add(to, points.integer(0), points.real(1), points.real(2));
    point.flush();
  }

  void copy_places() {
    // A run that another program has removed may have left its places behind.
    Statement rows(
        from_,
        "SELECT sweep, study, stage, dataset, candidate, run, stage_name, varied, chosen FROM stages "
        "WHERE run IN (SELECT id FROM runs) ORDER BY sweep, study, stage, dataset, candidate, run");
    BulkInsert insert(
        to_, "INSERT INTO stages(sweep, study, stage, dataset, candidate, run, stage_name, varied, chosen)",
        "ON CONFLICT(sweep, study, stage, dataset, run) DO NOTHING");
    while (rows.step()) {
      insert.add(rows.text(0), rows.text(1), rows.integer(2), rows.text(3), rows.integer(4),
                 numbers_.at(rows.integer(5)), rows.text(6), rows.text(7), rows.integer(8));
    }
    insert.flush();
  }

  Database &from_, &to_;
  bool keep_numbers_ = false;
  std::map<std::int64_t, std::int64_t> numbers_;  // of runs, in `from_` and in `to_`
};

}  // namespace

StoreCopyCount copy_store(const Store& from, const Store& to) {
  return transact(from.database(), Database::Locking::snapshot, [&](bool) {
    return transact(to.database(), Database::Locking::exclusive,
                    [&](bool) { return Copier(from, to).copy(); });
  });
}

}  // namespace gdkm
