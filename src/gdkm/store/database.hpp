#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace gdkm {

class Database;

/// A prepared SQL statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  void bind(int at, std::int64_t value);
  void bind(int at, int value) { bind(at, static_cast<std::int64_t>(value)); }
  void bind(int at, double value);  // NaN is stored as NULL
  void bind(int at, std::string_view value);
  template <class... Values>
  Statement& with(const Values&... values) {
    int at = 0;
    (bind(++at, values), ...);
    return *this;
  }

  /// Advances to the next row; returns whether there is one.
  bool step();
  /// Prepares the statement to run again with other values.
  void reset();

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;  // NaN for NULL
  std::string text(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

/// A SQLite file in WAL mode: many readers, and one writer at a time. Errors are InputErrors that name the
/// file.
class Database {
 public:
  enum class Mode { existing, create };
  Database(const std::filesystem::path& path, Mode mode);

  const std::filesystem::path& path() const { return path_; }
  /// A copy of the file in memory, empty if there is no file. Changes do not reach the file.
  static std::unique_ptr<Database> in_memory(const std::filesystem::path& path);

  template <class... Values>
  void execute(std::string_view sql, const Values&... values) {
    Statement statement(*this, sql);
    statement.with(values...).step();
  }
  /// Runs several statements without parameters.
  void script(const std::string& sql);
  std::int64_t integer(std::string_view sql);
  /// The number of rows that the last statement changed.
  std::int64_t changes() const;

 private:
  friend class Statement;
  [[noreturn]] void fail(int code) const;
  void check(int code) const;

  struct Closer {
    void operator()(sqlite3* handle) const;
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Closer> handle_;
};

/// Applies everything between its construction and `commit` at once, or nothing. Other writers wait.
class Transaction {
 public:
  explicit Transaction(Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace gdkm
