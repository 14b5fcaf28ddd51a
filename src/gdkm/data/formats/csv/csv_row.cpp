#include "gdkm/data/formats/csv/csv_row.hpp"

#include <algorithm>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view field) {
  while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
  while (!field.empty() && (is_blank(field.back()) || field.back() == '\r')) field.remove_suffix(1);
  return field;
}

bool is_line_end(std::string_view rest) {
  return rest.empty() || rest.front() == '\n' || rest.starts_with("\r\n") || rest == "\r";
}

/// The unquoted field that begins here.
std::string_view take_bare(std::string_view& rest, char delimiter) {
  std::size_t size = 0;
  if (delimiter == ' ') {
    while (size < rest.size() && !is_blank(rest[size]) && rest[size] != '\n') ++size;
  } else {
    while (size < rest.size() && rest[size] != delimiter && rest[size] != '\n') ++size;
  }
  const std::string_view field = rest.substr(0, size);
  rest.remove_prefix(size);
  return trimmed(field);
}

}  // namespace

bool is_csv_comment(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.front() == '#';
}

std::string csv_field(std::string_view field) {
  if (field == trimmed(field) && field.find_first_of("\",;\t\r\n#") == std::string_view::npos)
    return std::string(field);
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string_view CsvRow::take_quoted(std::string_view& rest, std::int64_t& lines) {
  rest.remove_prefix(1);
  std::string* copy = nullptr;
  while (true) {
    const auto mark = rest.find('"');
    if (mark == std::string_view::npos)
      refuse("a quotation mark is never closed; close it, or double it if it is part of the text");
    const std::string_view piece = rest.substr(0, mark);
    lines += std::count(piece.begin(), piece.end(), '\n');
    rest.remove_prefix(mark + 1);
    const bool goes_on = rest.starts_with('"');
    if (!goes_on && copy == nullptr) return piece;
    if (copy == nullptr) copy = &unquoted_.emplace_back();
    *copy += piece;
    if (!goes_on) return *copy;
    *copy += '"';
    rest.remove_prefix(1);
  }
}

std::int64_t CsvRow::take(std::string_view& rest, char delimiter) {
  fields_.clear();
  unquoted_.clear();
  std::int64_t lines = 1;
  const bool by_blanks = delimiter == ' ';
  const auto skip_blanks = [&] {
    while (!rest.empty() && is_blank(rest.front()) && rest.front() != delimiter) rest.remove_prefix(1);
    while (by_blanks && !rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  };
  for (bool is_last = false; !is_last;) {
    skip_blanks();
    if (by_blanks && !fields_.empty() && is_line_end(rest)) break;
    if (rest.starts_with('"')) {
      fields_.push_back(take_quoted(rest, lines));
      skip_blanks();
      if (!by_blanks && !is_line_end(rest) && rest.front() != delimiter) {
        refuse("text follows the closing quotation mark of {}; double quotation marks inside a field",
               show_field(fields_.back()));
      }
    } else {
      fields_.push_back(take_bare(rest, delimiter));
    }
    is_last = rest.empty() || is_line_end(rest);
    if (!is_last && !by_blanks) rest.remove_prefix(1);
  }
  if (rest.starts_with('\r')) rest.remove_prefix(1);
  if (rest.starts_with('\n')) rest.remove_prefix(1);
  return lines;
}

}  // namespace gdkm
