#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace gdkm {

/// The fields of one row of a CSV file. They are views into the file, or into unquoted copies, and are valid
/// until the next take().
class CsvRow {
 public:
  std::size_t size() const { return fields_.size(); }
  std::string_view operator[](std::size_t column) const { return fields_[column]; }
  const std::vector<std::string_view>& fields() const { return fields_; }

  /// Takes one row, with its line end, off the front of `rest` and returns how many lines it spans. Quotes
  /// are resolved (RFC 4180) and blanks around unquoted fields dropped; the delimiter ' ' means any run of
  /// blanks. An InputError says what is wrong with the row.
  std::int64_t take(std::string_view& rest, char delimiter);

 private:
  std::string_view take_quoted(std::string_view& rest, std::int64_t& lines);

  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;  // fields with a doubled quotation mark
};

/// Whether a line is blank or a comment ('#').
bool is_csv_comment(std::string_view line);

/// A field as a file has it, whatever its delimiter: in quotes where it needs them.
std::string csv_field(std::string_view field);

}  // namespace gdkm
