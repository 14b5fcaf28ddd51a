#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// A text file in memory.
struct Text {
  std::string where;  // the file's name, for messages
  std::string bytes;
};

/// Text as messages show it: at most 40 characters, without control characters.
std::string shown(std::string_view text);

/// Takes one line off `rest` and returns it without its end (\n or \r\n).
std::string_view take_line(std::string_view& rest);

/// All of `text` as a number; nothing where it is none, or too large for N.
template <class N>
std::optional<N> whole_number(std::string_view text) {
  N out{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && stop == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

/// One line, read from left to right. Spaces and tabs between fields are skipped. Errors are InputErrors
/// without file and line number; parse_lines adds them.
class Line {
 public:
  explicit Line(std::string_view text) : text_(text), rest_(text) {}

  std::string_view text() const { return text_; }
  std::string_view rest() const { return rest_; }

  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }

  /// Reads `c` if it comes next; returns whether it did.
  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// Reads a number: an optional sign and digits for an integer type, any decimal for float and double.
  /// `what` names it in errors ("a node number").
  template <class T>
  T number(const char* what) {
    skip_blanks();
    std::string_view from = rest_;
    if (from.starts_with('+')) from.remove_prefix(1);
    T out{};
    const auto [stop, error] = std::from_chars(from.data(), from.data() + from.size(), out);
    if (error == std::errc::result_out_of_range && !std::is_floating_point_v<T>) fail_too_large(what);
    if (error != std::errc{}) fail_no_number(what);
    if constexpr (std::is_integral_v<T>) {
      if (stop != from.data() + from.size() && *stop == '.') fail_no_number(what);
    }
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return out;
  }

  /// Throws unless the line ends here.
  void expect_end();

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  [[noreturn]] void fail_no_number(const char* what) const;
  [[noreturn]] void fail_too_large(const char* what) const;

  std::string_view text_, rest_;
};

namespace detail {
/// Calls parse(line, share) for every line of `text` that is not blank, after the first `skip` lines. Every
/// thread parses its own share of the file. The error is that of the first bad line in the file.
void for_each_line(const Text& text, std::int64_t skip, ThreadPool& pool,
                   const std::function<void(Line&, int share)>& parse);
}  // namespace detail

/// Parses every line that is not blank into a chunk, one chunk per thread, in the order of the file. For
/// lines that yield several values. `skip` is the number of header lines.
template <class Chunk, class Parse>
std::vector<Chunk> parse_chunks(const Text& text, std::int64_t skip, ThreadPool& pool, Parse parse) {
  std::vector<Chunk> chunks(static_cast<std::size_t>(pool.size()));
  detail::for_each_line(text, skip, pool, [&](Line& line, int share) { parse(line, chunks[share]); });
  return chunks;
}

/// One row per line.
template <class Row, class Parse>
std::vector<Row> parse_lines(const Text& text, std::int64_t skip, ThreadPool& pool, Parse parse) {
  auto chunks = parse_chunks<std::vector<Row>>(
      text, skip, pool, [&](Line& line, std::vector<Row>& rows) { rows.push_back(parse(line)); });
  std::vector<Row> out = std::move(chunks.front());
  for (std::size_t k = 1; k < chunks.size(); ++k) {
    out.insert(out.end(), std::make_move_iterator(chunks[k].begin()),
               std::make_move_iterator(chunks[k].end()));
  }
  return out;
}

}  // namespace gdkm
