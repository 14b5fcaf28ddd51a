#pragma once

#include "gdkm/store/database.hpp"

struct sqlite3;

namespace gdkm {

/// A SQLite file in WAL mode: many readers, and one writer at a time.
class SqliteDatabase : public Database {
 public:
  SqliteDatabase(const StoreLocation& location, Mode mode);
  /// A copy of the file in memory, empty if there is no file. Changes do not reach the file.
  static std::unique_ptr<Database> in_memory(const StoreLocation& location);

  std::unique_ptr<Query> query(std::string_view sql) override;
  void script(const std::string& sql) override;
  std::int64_t changes() const override;
  const Dialect& dialect() const override;
  double now() override;
  Tables tables() override;
  void set_version(std::int64_t version) override;
  void continue_numbers(const std::string&) override {}  // AUTOINCREMENT does
  void begin(Locking locking) override;
  void commit() override;
  void rollback() noexcept override;

  sqlite3* handle() const { return handle_.get(); }
  void check(int code) const;
  [[noreturn]] void fail(int code) const;

 private:
  SqliteDatabase(const StoreLocation& location, const std::string& file, Mode mode);

  struct Closer {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Closer> handle_;
};

}  // namespace gdkm
