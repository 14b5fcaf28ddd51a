#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace gdkm {

/// The fields of one row of a CSV file: views into the file, or into what was unquoted, until the next take.
class CsvRow {
 public:
  std::size_t size() const { return fields_.size(); }
  std::string_view operator[](std::size_t column) const { return fields_[column]; }
  const std::vector<std::string_view>& fields() const { return fields_; }

  /// Takes one row off the front of `rest`, with its line end, and returns how many lines it spans. Quotes
  /// are undone (RFC 4180) and blanks around bare fields dropped; the delimiter ' ' is any run of blanks. An
  /// InputError says what is wrong with the row.
  std::int64_t take(std::string_view& rest, char delimiter);

 private:
  std::string_view take_quoted(std::string_view& rest, std::int64_t& lines);

  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;  // fields in which a mark was doubled
};

/// Whether a line holds no row: blank, or a comment that begins with '#'.
bool is_csv_comment(std::string_view line);

}  // namespace gdkm
