#include "gdkm/store/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
constexpr int busy_timeout_ms = 60000;
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  database_.check(sqlite3_prepare_v2(database_.handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                     &statement_, nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

void Statement::bind(int at, std::int64_t value) {
  database_.check(sqlite3_bind_int64(statement_, at, value));
}

void Statement::bind(int at, double value) {
  database_.check(std::isnan(value) ? sqlite3_bind_null(statement_, at)
                                    : sqlite3_bind_double(statement_, at, value));
}

void Statement::bind(int at, std::string_view value) {
  database_.check(sqlite3_bind_text64(statement_, at, value.data() ? value.data() : "", value.size(),
                                      SQLITE_TRANSIENT, SQLITE_UTF8));
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail(code);
  return false;
}

void Statement::reset() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
  return is_null(column) ? std::nan("") : sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return bytes == nullptr ? std::string() : std::string(bytes, sqlite3_column_bytes(statement_, column));
}

void Database::Closer::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Database::Database(const std::filesystem::path& path, Mode mode) : path_(path) {
  if (mode == Mode::existing && !std::filesystem::exists(path))
    throw InputError(path.string() + ": no such store; gdkm sweep creates one");
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | (mode == Mode::create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
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

std::unique_ptr<Database> Database::in_memory(const std::filesystem::path& path) {
  auto out = std::make_unique<Database>(":memory:", Mode::create);
  if (std::filesystem::exists(path)) {
    const Database file(path, Mode::existing);
    sqlite3_backup* backup = sqlite3_backup_init(out->handle_.get(), "main", file.handle_.get(), "main");
    if (backup == nullptr) out->fail(sqlite3_errcode(out->handle_.get()));
    const int code = sqlite3_backup_step(backup, -1);
    sqlite3_backup_finish(backup);
    if (code != SQLITE_DONE) file.fail(code);
  }
  out->path_ = path;
  return out;
}

void Database::script(const std::string& sql) {
  check(sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t Database::integer(std::string_view sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::changes() const {
  return sqlite3_changes(handle_.get());
}

void Database::check(int code) const {
  if (code != SQLITE_OK) fail(code);
}

void Database::fail(int code) const {
  const std::string where = path_.string() + ": ";
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
                                   handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code)));
  }
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const InputError&) {
    // SQLite has already rolled back.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace gdkm
