#include "gdkm/data/formats/csv/csv_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"
#include "gdkm/support/utf8.hpp"

namespace gdkm {
namespace {

constexpr std::size_t sample_lines = 50;
constexpr std::size_t sample_bytes = std::size_t{1} << 22;  // one line may be as long as the file

void skip_comments(std::string_view& rest, std::int64_t& line) {
  for (std::string_view peek = rest; !rest.empty() && is_csv_comment(take_line(peek)); rest = peek) ++line;
}

/// How often `c` occurs outside quotation marks.
std::size_t count_outside(std::string_view line, char c) {
  std::size_t count = 0;
  bool inside = false;
  for (const char at : line) {
    if (at == '"') inside = !inside;
    count += !inside && at == c ? 1 : 0;
  }
  return count;
}

/// The separator that occurs in all of the first lines, preferably the same number of times in each. A
/// semicolon comes before a comma, which may then be a decimal comma.
char detect_delimiter(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::string_view rest = text.substr(0, sample_bytes); !rest.empty() && lines.size() < sample_lines;) {
    const std::string_view line = take_line(rest);
    if (!is_csv_comment(line)) lines.push_back(line);
  }
  if (lines.empty()) return ',';
  for (const int must : {2, 1, 0}) {  // agree in number, occur in every line, occur in the first
    for (const char candidate : {'\t', ';', ','}) {
      if (must == 0 && candidate == '\t') continue;  // a tab may then be just white space
      const std::size_t first = count_outside(lines[0], candidate);
      const bool fits = std::all_of(lines.begin(), lines.end(), [&](std::string_view line) {
        const std::size_t count = must > 0 ? count_outside(line, candidate) : 1;
        return must == 2 ? count == first : count > 0;
      });
      if (first > 0 && fits) return candidate;
    }
  }
  return count_outside(lines[0], ' ') > 0 ? ' ' : ',';
}

}  // namespace

CsvFile::CsvFile(Text text, const CsvHint& hint, std::optional<char> delimiter)
    : text_(std::move(text)), knows_(hint.knows) {
  if (text_.bytes.starts_with("\xFF\xFE") || text_.bytes.starts_with("\xFE\xFF"))
    refuse(text_.where + ": is UTF-16 text; save it as CSV in UTF-8");
  if (text_.bytes.starts_with("\xEF\xBB\xBF")) text_.bytes.erase(0, 3);  // the mark that spreadsheets write
  text_.bytes = as_utf8(std::move(text_.bytes));
  quoted_ = text_.bytes.find('"') != std::string::npos;
  delimiter_ = delimiter ? *delimiter : detect_delimiter(text_.bytes);
  std::string_view rest = text_.bytes;
  std::vector<std::vector<std::string>> rows;
  std::int64_t line = 0, first_end = 0;
  CsvRow row;
  while (rows.size() < sample_lines && text_.bytes.size() - rest.size() < sample_bytes) {
    skip_comments(rest, line);
    if (rest.empty()) break;
    try {
      line += row.take(rest, delimiter_);
    } catch (const InputError&) {
      break;  // for_each_row reports it, with its line
    }
    if (rows.empty()) first_end = line;
    rows.emplace_back(row.fields().begin(), row.fields().end());
  }
  if (rows.empty()) return;
  columns_ = rows[0].size();
  const HeaderVerdict verdict = judge_header(rows, hint);
  guesses_header_ = verdict == HeaderVerdict::guess;
  if (verdict != HeaderVerdict::no) {
    header_ = std::move(rows[0]);
    rows.erase(rows.begin());
    skip_ = first_end;
  }
  sample_ = std::move(rows);
}

std::optional<std::size_t> CsvFile::column(std::string_view name) const {
  const auto at = std::find(header_.begin(), header_.end(), name);
  if (at == header_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - header_.begin());
}

std::string CsvFile::column_name(std::size_t column) const {
  const bool has_name = column < header_.size() && !header_[column].empty();
  return has_name ? header_[column] : fmt::format("column {}", column + 1);
}

std::string CsvFile::column_text(std::size_t column) const {
  const bool has_name = column < header_.size() && !header_[column].empty();
  return fmt::format("column {}{}", column + 1, has_name ? " (" + show_field(header_[column]) + ")" : "");
}

void CsvFile::for_each_row(const std::function<void(const CsvRow&)>& visit) const {
  std::string_view rest = text_.bytes;
  for (std::int64_t k = 0; k < skip_; ++k) take_line(rest);
  CsvRow row;
  for (std::int64_t line = skip_ + 1;;) {
    skip_comments(rest, line);
    if (rest.empty()) return;
    try {
      const std::int64_t lines = row.take(rest, delimiter_);
      visit(row);
      line += lines;
    } catch (const InputError& error) {
      refuse("{}: line {}: {}", where(), line, error.message());
    }
  }
}

void CsvFile::fail_at_row(std::size_t row, const std::string& message) const {
  std::size_t count = 0;
  for_each_row([&](const CsvRow&) {
    if (count++ == row) refuse(message);
  });
  refuse(where() + ": " + message);
}

}  // namespace gdkm
