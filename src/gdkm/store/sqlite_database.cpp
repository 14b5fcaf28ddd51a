#include "gdkm/store/sqlite_database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <filesystem>

#include "gdkm/store/owner.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr int busy_timeout_ms = 60000;
constexpr std::int64_t application = 0x67646B6D;  // "gdkm"

class SqliteQuery : public Query {
 public:
  SqliteQuery(const SqliteDatabase& database, std::string_view sql) : database_(database) {
    database_.check(sqlite3_prepare_v2(database_.handle(), sql.data(), static_cast<int>(sql.size()),
                                       &statement_, nullptr));
  }
  ~SqliteQuery() override { sqlite3_finalize(statement_); }
  SqliteQuery(const SqliteQuery&) = delete;
  SqliteQuery& operator=(const SqliteQuery&) = delete;

  void bind(int at, std::int64_t value) override {
    database_.check(sqlite3_bind_int64(statement_, at, value));
  }
  void bind(int at, double value) override {
    database_.check(std::isnan(value) ? sqlite3_bind_null(statement_, at)
                                      : sqlite3_bind_double(statement_, at, value));
  }
  void bind(int at, std::string_view value) override {
    database_.check(sqlite3_bind_text64(statement_, at, value.data() ? value.data() : "", value.size(),
                                        SQLITE_TRANSIENT, SQLITE_UTF8));
  }

  bool step() override {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_.fail(code);
    return false;
  }
  void reset() override {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }

  bool is_null(int column) const override { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  std::int64_t integer(int column) const override { return sqlite3_column_int64(statement_, column); }
  double real(int column) const override {
    return is_null(column) ? std::nan("") : sqlite3_column_double(statement_, column);
  }
  std::string text(int column) const override {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes == nullptr ? std::string() : std::string(bytes, sqlite3_column_bytes(statement_, column));
  }

 private:
  const SqliteDatabase& database_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace

void SqliteDatabase::Closer::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

SqliteDatabase::SqliteDatabase(const StoreLocation& location, Mode mode)
    : SqliteDatabase(location, location.file().string(), mode) {}

SqliteDatabase::SqliteDatabase(const StoreLocation& location, const std::string& file, Mode mode)
    : Database(location) {
  if (mode == Mode::existing && !std::filesystem::exists(file))
    throw NoSuchStore(name() + ": no such store; gdkm sweep creates one");
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | (mode == Mode::create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  check(code);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, busy_timeout_ms);
  execute("PRAGMA foreign_keys = ON");
  // Two programs that create the same file at once may collide here, and SQLite does not wait.
  for (int attempt = 1;; ++attempt) {
    try {
      execute("PRAGMA journal_mode = WAL");
      break;
    } catch (const InputError&) {
      if ((sqlite3_errcode(handle) & 0xFF) != SQLITE_BUSY || attempt == 100) throw;
      sqlite3_sleep(20);
    }
  }
  // A killed program loses nothing. A power cut may lose the last transactions, but not the file.
  execute("PRAGMA synchronous = NORMAL");
}

std::unique_ptr<Database> SqliteDatabase::in_memory(const StoreLocation& location) {
  std::unique_ptr<SqliteDatabase> out(new SqliteDatabase(location, ":memory:", Mode::create));
  if (!location.is_server() && std::filesystem::exists(location.file())) {
    const SqliteDatabase file(location, Mode::existing);
    sqlite3_backup* backup = sqlite3_backup_init(out->handle(), "main", file.handle(), "main");
    if (backup == nullptr) out->fail(sqlite3_errcode(out->handle()));
    const int code = sqlite3_backup_step(backup, -1);
    sqlite3_backup_finish(backup);
    if (code != SQLITE_DONE) file.fail(code);
  }
  return out;
}

std::unique_ptr<Query> SqliteDatabase::query(std::string_view sql) {
  return std::make_unique<SqliteQuery>(*this, sql);
}

void SqliteDatabase::script(const std::string& sql) {
  check(sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t SqliteDatabase::changes() const {
  return sqlite3_changes(handle());
}

const Dialect& SqliteDatabase::dialect() const {
  // A transaction is the only writer, so that its rows need no locks.
  static constexpr Dialect words{
      "INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER", "REAL", "TEXT", "WITHOUT ROWID", "", ""};
  return words;
}

double SqliteDatabase::now() {
  return wall_clock();
}

Database::Tables SqliteDatabase::tables() {
  using enum Tables::Whose;
  const std::int64_t version = integer("PRAGMA user_version"), id = integer("PRAGMA application_id");
  if (id == application) return {ours, version};
  const bool empty = id == 0 && version == 0 && integer("SELECT count(*) FROM sqlite_master") == 0;
  return {empty ? nobody : others, 0};
}

void SqliteDatabase::set_version(std::int64_t version) {
  script(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application, version));
}

void SqliteDatabase::begin(Locking locking) {
  execute(locking == Locking::snapshot ? "BEGIN" : "BEGIN IMMEDIATE");
}

void SqliteDatabase::commit() {
  execute("COMMIT");
}

void SqliteDatabase::rollback() noexcept {
  sqlite3_exec(handle(), "ROLLBACK", nullptr, nullptr, nullptr);  // an error says that SQLite has already
}

void SqliteDatabase::check(int code) const {
  if (code != SQLITE_OK) fail(code);
}

void SqliteDatabase::fail(int code) const {
  const std::string where = name() + ": ";
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      throw InputError(where + "not a store of runs; give another file");
    case SQLITE_CORRUPT:
      throw InputError(where + "the store is damaged; restore a copy, or use another file");
    case SQLITE_CANTOPEN:
      throw InputError(where + "cannot open the store; check the folder and its permissions");
    case SQLITE_READONLY:
      throw InputError(where + "cannot write to the store; check its permissions");
    case SQLITE_FULL:
      throw InputError(where + "the disk is full; free some space and start again");
    case SQLITE_BUSY:
      throw InputError(where + "another program keeps the store locked; wait for it and start again");
    default:
      throw InputError(fmt::format("{}cannot use the store ({}); check the file and its disk", where,
                                   handle_ ? sqlite3_errmsg(handle()) : sqlite3_errstr(code)));
  }
}

}  // namespace gdkm
