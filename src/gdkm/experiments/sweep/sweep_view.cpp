#include "gdkm/experiments/sweep/sweep_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "gdkm/experiments/number_text.hpp"
#include "gdkm/support/terminal.hpp"

namespace gdkm {

namespace {

constexpr double line_seconds = 5;
constexpr int bar_width = 24;

SweepView::Style style_of_terminal(bool quiet) {
  if (quiet) return SweepView::Style::quiet;
  return stderr_is_terminal() ? SweepView::Style::block : SweepView::Style::lines;
}

}  // namespace

std::string options_text(const RunOptions& options) {
  std::vector<std::string> out;
  for (const auto& [key, value] : options) out.push_back(key + "=" + option_text(value));
  return fmt::format("{}", fmt::join(out, " "));
}

std::string best_text(const StageChain::Best& best) {
  const std::string options = options_text(best.options);
  return score_text(best.val, best.regression) + (options.empty() ? "" : "  " + options);
}

std::string progress_text(const SweepState& state) {
  std::string out = fmt::format("{}/{} runs", state.done + state.failed + state.skipped, state.total);
  if (state.failed > 0) out += fmt::format(", {} failed", state.failed);
  if (state.skipped > 0) out += fmt::format(", {} skipped", state.skipped);
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
  const int width = std::max(20, (columns_ > 0 ? columns_ : terminal_columns()) - 1);
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
  // Unfinished studies come first.
  constexpr std::size_t max_lines = 16;
  for (const bool over : {false, true}) {
    for (const auto& line : state.lines) {
      if (line.stage.empty() != over || lines.size() > max_lines) continue;
      const auto& c = line.count;
      if (!over && c.done + c.failed == 0) continue;
      lines.push_back(fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:>4}/{:<4}  {}", line.study, study,
                                  first_characters(line.dataset, 20), dataset, over ? "" : line.stage, stage,
                                  c.done + c.failed + c.skipped, c.total,
                                  line.best ? best_text(*line.best) : ""));
    }
  }
  std::string text = drawn_ > 0 ? fmt::format("\x1b[{}F", drawn_) : "";
  for (const std::string& line : lines) text += first_characters(line, width) + "\x1b[K\n";
  text += "\x1b[J";
  *out_ << text << std::flush;
  drawn_ = static_cast<int>(lines.size());
}

void SweepView::erase_block() {
  if (drawn_ > 0) *out_ << fmt::format("\x1b[{}F\x1b[J", drawn_) << std::flush;
  drawn_ = 0;
}

void SweepView::message(const std::string& text) {
  if (style_ == Style::quiet) return;
  erase_block();
  *out_ << "gdkm: " + text + "\n" << std::flush;
}

void SweepView::finish() {
  drawn_ = 0;
}

}  // namespace gdkm
