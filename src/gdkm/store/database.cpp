#include "gdkm/store/database.hpp"

#include <fmt/format.h>

#include "gdkm/store/postgres_database.hpp"
#include "gdkm/store/sqlite_database.hpp"

namespace gdkm {

std::unique_ptr<Database> Database::open(const StoreLocation& location, Mode mode,
                                         const DatabaseObserver& observer) {
  if (location.is_server()) return open_postgres(location, mode, observer);
  return std::make_unique<SqliteDatabase>(location, mode);
}

std::unique_ptr<Database> Database::in_memory(const StoreLocation& location) {
  return SqliteDatabase::in_memory(location);
}

std::int64_t Database::integer(std::string_view sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

BulkInsert::BulkInsert(Database& database, std::string into, std::string end)
    : database_(database), into_(std::move(into)), end_(std::move(end)) {}

void BulkInsert::flush() {
  if (rows_.empty()) return;
  std::string sql = into_ + " VALUES";
  for (std::size_t row = 0, at = 0; row < rows_.size(); ++row) {
    sql += row == 0 ? "(" : ",(";
    for (std::size_t column = 0; column < columns_; ++column)
      sql += fmt::format("{}?{}", column == 0 ? "" : ",", ++at);
    sql += ")";
  }
  Statement statement(database_, sql + " " + end_);
  for (std::size_t row = 0; row < rows_.size(); ++row)
    rows_[row](statement, static_cast<int>(row * columns_) + 1);
  statement.step();
  rows_.clear();
}

}  // namespace gdkm
