#include "gdkm/support/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <utility>

namespace gdkm {

namespace {
constexpr double redraw_seconds = 0.1, line_seconds = 5;
constexpr int widest_bar = 30, narrowest_bar = 6;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

int length(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), starts_character));
}

/// At most `columns` characters of UTF-8 text, cut between characters. Control characters would move the
/// cursor.
std::string cut(std::string_view text, int columns) {
  std::string out;
  for (const char c : text) {
    if (starts_character(c) && columns-- <= 0) break;
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  return out;
}

std::string duration(double seconds) {
  if (!(seconds < 360000)) return seconds < 1e8 ? fmt::format("{:.0f} days", seconds / 86400) : "ages";
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

void append(std::string& line, const std::string& part) {
  if (part.empty()) return;
  if (!line.empty()) line += "  ";
  line += part;
}
}  // namespace

Progress::Progress(std::string label, std::int64_t total, Mode mode)
    : label_(std::move(label)),
      total_(total),
      clock_(steady_seconds),
      start_(steady_seconds()),
      drawn_(start_) {
  if (mode == Mode::quiet) return;
  out_ = &std::cerr;
  style_ = is_terminal() ? Style::bar : Style::lines;
}

Progress::Progress(std::string label, std::int64_t total, std::ostream& out, Style style, Clock clock,
                   int columns)
    : label_(std::move(label)),
      total_(total),
      out_(&out),
      style_(style),
      clock_(std::move(clock)),
      columns_(columns),
      start_(clock_()),
      drawn_(start_) {}

Progress::~Progress() {
  finish();
}

void Progress::start_at(std::int64_t done) noexcept {
  first_ = done_ = done;
}

void Progress::update(std::int64_t done, std::string_view suffix) noexcept {
  if (out_ == nullptr || finished_) return;
  try {
    done_ = done;
    suffix_.assign(suffix);
    const double now = clock_();
    updated_ = true;
    // A bar shows at once that something runs; a log is spared a line that says nothing yet.
    const bool due =
        style_ == Style::bar ? !on_screen_ || now - drawn_ >= redraw_seconds : now - drawn_ >= line_seconds;
    if (due) draw(now, false);
  } catch (...) {
  }
}

void Progress::clear() noexcept {
  if (!on_screen_) return;
  try {
    *out_ << "\r\x1b[K" << std::flush;
    on_screen_ = false;
  } catch (...) {
  }
}

void Progress::finish() noexcept {
  if (out_ == nullptr || finished_) return;
  finished_ = true;
  try {
    if (updated_) draw(clock_(), true);
  } catch (...) {
  }
}

void Progress::draw(double now, bool last) {
  drawn_ = now;
  // One write, so that lines of other threads do not land inside it.
  if (style_ == Style::bar) {
    *out_ << fmt::format("\r{}\x1b[K{}", bar_line(now, last), last ? "\n" : "") << std::flush;
    on_screen_ = !last;
  } else {
    *out_ << plain_line(now, last) + '\n' << std::flush;
  }
}

std::string Progress::bar_line(double now, bool last) const {
  // The last column stays free: some terminals wrap as soon as it is written.
  const int columns = std::max(1, (columns_ > 0 ? columns_ : terminal_columns()) - 1);
  const std::string label = cut(label_, std::max(1, columns / 2)), suffix = cut(suffix_, columns);
  const std::string count = count_text();
  std::string rate = rate_text(now), time = time_text(now, last), line;
  const auto assemble = [&](const std::string& bar) {
    line.clear();
    for (const auto* part :
         std::initializer_list<const std::string*>{&label, &bar, &count, &rate, &time, &suffix}) {
      append(line, *part);
    }
  };
  // A narrow line does without the bar first, then the rate, then the time; what is left is cut.
  assemble({});
  if (length(line) > columns) {
    rate.clear();
    assemble({});
  }
  if (length(line) > columns) {
    time.clear();
    assemble({});
  }
  const int room = std::min(widest_bar, columns - length(line) - 4);
  if (total_ > 0 && room >= narrowest_bar) {
    const double part = std::clamp(static_cast<double>(done_) / static_cast<double>(total_), 0.0, 1.0);
    const int full = static_cast<int>(part * room);
    assemble(fmt::format("[{:#<{}}{:.<{}}]", "", full, "", room - full));
  }
  return cut(line, columns);
}

std::string Progress::plain_line(double now, bool last) const {
  std::string line = label_ + ": " + count_text();
  append(line, rate_text(now));
  append(line, time_text(now, last));
  append(line, suffix_);
  return cut(line, std::numeric_limits<int>::max());
}

std::string Progress::count_text() const {
  return total_ > 0 ? fmt::format("{}/{}", done_, total_) : fmt::format("{}", done_);
}

double Progress::rate(double now) const {
  return now > start_ ? static_cast<double>(done_ - first_) / (now - start_) : 0;
}

std::string Progress::rate_text(double now) const {
  const double r = rate(now);
  if (!(r > 0)) return {};
  return r >= 99.95 ? fmt::format("{:.0f}/s", r)
         : r >= 1   ? fmt::format("{:.1f}/s", r)
                    : duration(1 / r) + " each";
}

std::string Progress::time_text(double now, bool last) const {
  if (last) return fmt::format("in {}", duration(now - start_));
  const double r = rate(now);
  if (!(r > 0) || total_ <= 0) return {};
  return duration(static_cast<double>(std::max<std::int64_t>(0, total_ - done_)) / r) + " left";
}

}  // namespace gdkm
