#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gdkm/store/store_location.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

/// What engines write differently. All other SQL of the store is the same for both.
struct Dialect {
  /// Types of columns, and what ends a table that is kept in the order of its primary key.
  std::string_view key, whole, real, text, keyed;
  /// What ends a SELECT whose row the transaction goes on to change: one that waits for other transactions,
  /// and one that passes over rows which other transactions have.
  std::string_view wait_for_row, skip_taken_rows;
};

/// What an engine does for one statement; see Statement.
class Query {
 public:
  virtual ~Query() = default;
  virtual void bind(int at, std::int64_t value) = 0;
  virtual void bind(int at, double value) = 0;
  virtual void bind(int at, std::string_view value) = 0;
  virtual bool step() = 0;
  virtual void reset() = 0;
  virtual bool is_null(int column) const = 0;
  virtual std::int64_t integer(int column) const = 0;
  virtual double real(int column) const = 0;
  virtual std::string text(int column) const = 0;
};

/// Of a server: how long the first connection may be waited for; a later one is waited for in any case.
struct DatabaseObserver {
  std::function<void(const std::string&)> message = [](const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };
  double patience = 0;  // seconds
};

/// There is no store at the place that should have one.
class NoSuchStore : public InputError {
 public:
  using InputError::InputError;
};

/// The server of a store went away and did not come back.
class StoreUnavailable : public InputError {
 public:
  using InputError::InputError;
};

/// The database of a store. The engine below it is SQLite or PostgreSQL; whoever uses it cannot tell. Errors
/// are InputErrors that name the store. Parameters of statements are ?1, ?2, ….
class Database {
 public:
  enum class Mode { existing, create };
  static std::unique_ptr<Database> open(const StoreLocation& location, Mode mode,
                                        const DatabaseObserver& observer = {});
  /// An empty database in memory, which calls itself `location`.
  static std::unique_ptr<Database> in_memory(const StoreLocation& location);

  explicit Database(StoreLocation location) : location_(std::move(location)) {}
  virtual ~Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const StoreLocation& location() const { return location_; }
  /// As messages name it.
  const std::string& name() const { return location_.shown(); }

  template <class... Values>
  void execute(std::string_view sql, const Values&... values);
  std::int64_t integer(std::string_view sql);

  virtual std::unique_ptr<Query> query(std::string_view sql) = 0;
  /// Runs several statements without parameters.
  virtual void script(const std::string& sql) = 0;
  /// The number of rows that the last statement changed.
  virtual std::int64_t changes() const = 0;
  virtual const Dialect& dialect() const = 0;
  /// Seconds since 1970 by the one clock that all programs of this store share.
  virtual double now() = 0;

  /// Whose tables are there, and of which version ours are.
  struct Tables {
    enum class Whose { nobody, ours, others } whose = Whose::nobody;
    std::int64_t version = 0;
  };
  virtual Tables tables() = 0;
  virtual void set_version(std::int64_t version) = 0;
  /// After rows with numbers of the caller's own: new rows of `table` get higher numbers.
  virtual void continue_numbers(const std::string& table) = 0;

  /// `exclusive`: all other exclusive transactions wait. `rows`: the caller locks the rows that it changes,
  /// by the dialect's words. `snapshot`: it only reads, and all of one moment. SQLite has one writer at a
  /// time in any case.
  enum class Locking { exclusive, rows, snapshot };
  virtual void begin(Locking locking) = 0;
  virtual void commit() = 0;
  virtual void rollback() noexcept = 0;

  /// The connection ended during a transaction, or the server asks to repeat it.
  class TryAgain : public std::exception {};

 private:
  StoreLocation location_;
};

/// A prepared SQL statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement(Database& database, std::string_view sql) : query_(database.query(sql)) {}

  void bind(int at, std::int64_t value) { query_->bind(at, value); }
  void bind(int at, int value) { bind(at, static_cast<std::int64_t>(value)); }
  void bind(int at, double value) { query_->bind(at, value); }  // NaN is stored as NULL
  void bind(int at, std::string_view value) { query_->bind(at, value); }
  template <class... Values>
  Statement& with(const Values&... values) {
    int at = 0;
    (bind(++at, values), ...);
    return *this;
  }

  /// Advances to the next row; returns whether there is one.
  bool step() { return query_->step(); }
  /// Prepares the statement to run again with other values.
  void reset() { query_->reset(); }

  bool is_null(int column) const { return query_->is_null(column); }
  std::int64_t integer(int column) const { return query_->integer(column); }
  double real(int column) const { return query_->real(column); }  // NaN for NULL
  std::string text(int column) const { return query_->text(column); }

 private:
  std::unique_ptr<Query> query_;
};

template <class... Values>
void Database::execute(std::string_view sql, const Values&... values) {
  Statement(*this, sql).with(values...).step();
}

/// Calls `body(again)` and applies all that it does at once, or nothing if it throws. Where a server is lost
/// on the way, it is called once more: `again` is then true, and what it did before may or may not have been
/// applied. Returns what `body` returns.
template <class Body>
auto transact(Database& database, Database::Locking locking, Body&& body) {
  struct Rollback {
    Database& database;
    bool open = true;
    ~Rollback() {
      if (open) database.rollback();
    }
  };
  constexpr int most_attempts = 100;
  for (int attempt = 0;; ++attempt) {
    try {
      database.begin(locking);
      Rollback guard{database};
      if constexpr (std::is_void_v<decltype(body(false))>) {
        body(attempt > 0);
        database.commit();
        guard.open = false;
        return;
      } else {
        auto out = body(attempt > 0);
        database.commit();
        guard.open = false;
        return out;
      }
    } catch (const Database::TryAgain&) {
      if (attempt == most_attempts) throw;
    }
  }
}

/// Inserts many rows with few statements, which matters where each takes a journey to a server.
class BulkInsert {
 public:
  /// `into` is "INSERT INTO table(a, b)", `end` what follows the values.
  BulkInsert(Database& database, std::string into, std::string end = "");

  template <class... Values>
  void add(const Values&... values) {
    rows_.push_back([values...](Statement& statement, int at) { (statement.bind(at++, values), ...); });
    columns_ = sizeof...(values);
    if (rows_.size() == most_rows) flush();
  }
  /// Inserts what is left; the caller calls it at the end.
  void flush();

 private:
  static constexpr std::size_t most_rows = 200;
  Database& database_;
  std::string into_, end_;
  std::size_t columns_ = 0;
  std::vector<std::function<void(Statement&, int)>> rows_;
};

}  // namespace gdkm
