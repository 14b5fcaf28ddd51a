#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace gdkm {

/// Shows the progress of a long computation on standard error: one line that is redrawn on a terminal, a
/// plain line every few seconds elsewhere. It never throws, so that a display cannot stop the computation.
/// Not thread-safe.
class Progress {
 public:
  enum class Mode { automatic, quiet };
  enum class Style { bar, lines };
  using Clock = std::function<double()>;  // seconds since some fixed time

  /// A total of 0 means unknown.
  Progress(std::string label, std::int64_t total, Mode mode = Mode::automatic);
  /// For tests: writes to `out` in a given style and width.
  Progress(std::string label, std::int64_t total, std::ostream& out, Style style, Clock clock, int columns);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Work that was done earlier, as in a resumed run; it does not count in the rate.
  void start_at(std::int64_t done) noexcept;
  void update(std::int64_t done, std::string_view suffix = {}) noexcept;
  /// Erases the line to make room for a message; the next update draws it again.
  void clear() noexcept;
  /// Writes the last state with the time taken, and ends the line. No effect without any update.
  void finish() noexcept;

 private:
  void draw(double now, bool last);
  std::string bar_line(double now, bool last) const;
  std::string plain_line(double now, bool last) const;
  std::string count_text() const;
  std::string rate_text(double now) const;
  std::string time_text(double now, bool last) const;
  double rate(double now) const;

  std::string label_, suffix_;
  std::int64_t total_ = 0, first_ = 0, done_ = 0;
  std::ostream* out_ = nullptr;  // null when quiet
  Style style_ = Style::lines;
  Clock clock_;
  int columns_ = 0;  // 0 asks the terminal
  double start_ = 0, drawn_ = 0;
  bool updated_ = false, on_screen_ = false, finished_ = false;
};

}  // namespace gdkm
