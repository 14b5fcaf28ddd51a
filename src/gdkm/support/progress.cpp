#include "gdkm/support/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <utility>

#include "gdkm/support/terminal.hpp"

namespace gdkm {

namespace {
constexpr double redraw_seconds = 0.1, line_seconds = 5;
constexpr int widest_bar = 30, narrowest_bar = 6;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
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
  style_ = stderr_is_terminal() ? Style::bar : Style::lines;
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
    // A bar appears at once; a log gets its first line only when there is something to say.
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
  // One write, so that output of other threads does not land inside it.
  if (style_ == Style::bar) {
    *out_ << fmt::format("\r{}\x1b[K{}", bar_line(now, last), last ? "\n" : "") << std::flush;
    on_screen_ = !last;
  } else {
    *out_ << plain_line(now, last) + '\n' << std::flush;
  }
}

std::string Progress::bar_line(double now, bool last) const {
  // Leave the last column free: some terminals wrap as soon as it is written.
  const int columns = std::max(1, (columns_ > 0 ? columns_ : terminal_columns()) - 1);
  const std::string label = first_characters(label_, std::max(1, columns / 2)),
                    suffix = first_characters(suffix_, columns);
  const std::string count = count_text();
  std::string rate = rate_text(now), time = time_text(now, last), line;
  const auto assemble = [&](const std::string& bar) {
    line.clear();
    for (const auto* part :
         std::initializer_list<const std::string*>{&label, &bar, &count, &rate, &time, &suffix}) {
      append(line, *part);
    }
  };
  // If the line is too narrow, drop the bar first, then the rate, then the time; cut the rest.
  assemble({});
  if (character_count(line) > columns) {
    rate.clear();
    assemble({});
  }
  if (character_count(line) > columns) {
    time.clear();
    assemble({});
  }
  const int room = std::min(widest_bar, columns - character_count(line) - 4);
  if (total_ > 0 && room >= narrowest_bar) {
    const double part = std::clamp(static_cast<double>(done_) / static_cast<double>(total_), 0.0, 1.0);
    const int full = static_cast<int>(part * room);
    assemble(fmt::format("[{:#<{}}{:.<{}}]", "", full, "", room - full));
  }
  return first_characters(line, columns);
}

std::string Progress::plain_line(double now, bool last) const {
  std::string line = label_ + ": " + count_text();
  append(line, rate_text(now));
  append(line, time_text(now, last));
  append(line, suffix_);
  return first_characters(line, std::numeric_limits<int>::max());
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
                    : duration_text(1 / r) + " each";
}

std::string Progress::time_text(double now, bool last) const {
  if (last) return fmt::format("in {}", duration_text(now - start_));
  const double r = rate(now);
  if (!(r > 0) || total_ <= 0) return {};
  return duration_text(static_cast<double>(std::max<std::int64_t>(0, total_ - done_)) / r) + " left";
}

}  // namespace gdkm
