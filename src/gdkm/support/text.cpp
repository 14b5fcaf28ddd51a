#include "gdkm/support/text.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

struct Failure {
  std::int64_t line;  // within the share, from 0
  std::string message;
};

}  // namespace

std::string shown(std::string_view text) {
  std::string out(text.substr(0, 40));
  std::replace_if(
      out.begin(), out.end(), [](unsigned char c) { return c < 32 || c == 127; }, ' ');
  return text.size() > 40 ? out + "..." : out;
}

std::string_view take_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void Line::expect_end() {
  if (at_end()) return;
  refuse("unexpected '{}' at the end; remove it", shown(rest_));
}

void Line::fail_no_number(const char* what) const {
  if (rest_.empty()) refuse("the line ends where {} is expected; complete it", what);
  refuse("expected {}, got '{}'", what, shown(rest_.substr(0, rest_.find_first_of(",; \t"))));
}

void Line::fail_too_large(const char* what) const {
  refuse("'{}' is too large for {}; correct it", shown(rest_.substr(0, rest_.find_first_of(",; \t"))), what);
}

void detail::for_each_line(const Text& text, std::int64_t skip, ThreadPool& pool,
                           const std::function<void(Line&, int)>& parse) {
  std::string_view body = text.bytes;
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);  // the byte order mark that spreadsheets write
  for (std::int64_t k = 0; k < skip; ++k) take_line(body);

  // Shares begin at line starts.
  const auto shares = static_cast<std::size_t>(pool.size());
  std::vector<std::size_t> start(shares + 1, body.size());
  start[0] = 0;
  for (std::size_t k = 1; k < shares; ++k) {
    const auto end = body.find('\n', std::max(start[k - 1], body.size() * k / shares));
    start[k] = end == std::string_view::npos ? body.size() : end + 1;
  }
  std::vector<std::optional<Failure>> failure(shares);
  pool.run([&](int share) {
    const auto k = static_cast<std::size_t>(share);
    std::string_view rest = body.substr(start[k], start[k + 1] - start[k]);
    for (std::int64_t number = 0; !rest.empty(); ++number) {
      Line line(take_line(rest));
      if (is_blank(line.text())) continue;
      try {
        parse(line, share);
      } catch (const InputError& error) {
        failure[k] = {number, error.message()};
        return;
      }
    }
  });
  for (std::size_t k = 0; k < shares; ++k) {
    if (!failure[k]) continue;
    const auto before = std::count(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(start[k]), '\n');
    refuse("{}: line {}: {}", text.where, skip + before + failure[k]->line + 1, failure[k]->message);
  }
}

}  // namespace gdkm
