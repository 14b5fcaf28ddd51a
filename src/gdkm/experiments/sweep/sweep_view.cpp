#include "gdkm/experiments/sweep/sweep_view.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace gdkm {

namespace {

constexpr double line_seconds = 5;
constexpr int bar_width = 24;

/// At most `columns` characters of UTF-8.
std::string cut(const std::string& text, int columns) {
  std::string out;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80 && columns-- <= 0) break;
    out += c;
  }
  return out;
}

SweepView::Style style_of_terminal(bool quiet) {
  if (quiet) return SweepView::Style::quiet;
  const char* kind = std::getenv("TERM");
  const bool terminal = ::isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
  return terminal ? SweepView::Style::block : SweepView::Style::lines;
}

}  // namespace

std::string duration_text(double seconds) {
  if (!(seconds < 8640000)) return "more than 100 days";
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string best_text(const StageChain::Best& best) {
  std::vector<std::string> options;
  for (const auto& [key, value] : best.options) options.push_back(key + "=" + option_text(value));
  const int digits = best.regression ? 4 : 2;
  return fmt::format("{:.{}f}{}{}", best.val.mean, digits,
                     best.val.count > 1 ? fmt::format(" ± {:.{}f}", best.val.std, digits) : "",
                     options.empty() ? "" : fmt::format("  {}", fmt::join(options, " ")));
}

std::string progress_text(const SweepState& state) {
  std::string out = fmt::format("{}/{} runs", state.done + state.failed + state.skipped, state.total);
  if (state.failed > 0) out += fmt::format(", {} failed", state.failed);
  if (state.skipped > 0) out += fmt::format(", {} left out", state.skipped);
  if (state.running > 0) out += fmt::format(", {} running", state.running);
  if (state.done_here > 0 && state.elapsed > 0) {
    const double each = state.elapsed / state.done_here;
    out += each < 1 ? fmt::format(", {:.1f} runs/s", 1 / each) : fmt::format(", {:.1f} runs/min", 60 / each);
  }
  const bool over = state.done + state.failed + state.skipped == state.total;
  if (over) {
    out += ", in " + duration_text(state.elapsed);
  } else if (state.seconds_left >= 0) {
    out += ", about " + duration_text(state.seconds_left) + " left";
  }
  return out;
}

SweepView::SweepView(std::string name, bool quiet)
    : name_(std::move(name)), out_(&std::cerr), style_(style_of_terminal(quiet)) {}

SweepView::SweepView(std::string name, std::ostream& out, Style style, int columns)
    : name_(std::move(name)), out_(&out), style_(style), columns_(columns) {}

int SweepView::columns() const {
  if (columns_ > 0) return columns_;
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void SweepView::show(const SweepState& state) {
  if (style_ == Style::quiet) return;
  if (style_ == Style::block) return draw_block(state);
  const int over = state.done + state.failed + state.skipped;
  const bool last = over == state.total;
  if (!last && state.elapsed - last_line_ < line_seconds) return;
  if (last && over == last_done_) return;
  last_line_ = state.elapsed;
  last_done_ = over;
  std::string line = name_ + ": " + progress_text(state);
  for (const auto& each : state.lines) {
    if (each.best && !each.stage.empty()) {
      line += fmt::format("; {} {} {}", each.study, each.dataset, best_text(*each.best));
      break;
    }
  }
  *out_ << line + "\n" << std::flush;
}

void SweepView::draw_block(const SweepState& state) {
  const int width = std::max(20, columns() - 1);
  const double part =
      state.total > 0 ? static_cast<double>(state.done + state.failed + state.skipped) / state.total : 0;
  const int full = static_cast<int>(part * bar_width);
  std::vector<std::string> lines{
      fmt::format("{}  [{:#<{}}{:.<{}}]  {}", name_, "", full, "", bar_width - full, progress_text(state))};
  std::size_t study = 0, dataset = 0, stage = 0;
  for (const auto& line : state.lines) {
    study = std::max(study, line.study.size());
    dataset = std::max(dataset, std::min<std::size_t>(line.dataset.size(), 20));
    stage = std::max(stage, line.stage.size());
  }
  // Lines that are being worked on come first, as many as there is room for.
  constexpr std::size_t most = 16;
  for (const bool over : {false, true}) {
    for (const auto& line : state.lines) {
      if (line.stage.empty() != over || lines.size() > most) continue;
      const auto& c = line.count;
      if (!over && c.done + c.failed == 0) continue;
      lines.push_back(fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:>4}/{:<4}  {}", line.study, study,
                                  cut(line.dataset, 20), dataset, over ? "" : line.stage, stage,
                                  c.done + c.failed + c.skipped, c.total,
                                  line.best ? best_text(*line.best) : ""));
    }
  }
  std::string text = drawn_ > 0 ? fmt::format("\x1b[{}F", drawn_) : "";
  for (const std::string& line : lines) text += cut(line, width) + "\x1b[K\n";
  text += "\x1b[J";
  *out_ << text << std::flush;
  drawn_ = static_cast<int>(lines.size());
}

void SweepView::erase_block() {
  if (drawn_ > 0) *out_ << fmt::format("\x1b[{}F\x1b[J", drawn_) << std::flush;
  drawn_ = 0;
}

void SweepView::say(const std::string& message) {
  if (style_ == Style::quiet) return;
  erase_block();
  *out_ << "gdkm: " + message + "\n" << std::flush;
}

void SweepView::finish() {
  drawn_ = 0;
}

}  // namespace gdkm
