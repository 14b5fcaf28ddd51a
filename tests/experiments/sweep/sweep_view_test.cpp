#include "gdkm/experiments/sweep/sweep_view.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "gdkm/experiments/text_table.hpp"

namespace gdkm {
namespace {

SweepState half_done() {
  SweepState state;
  state.done = 3;
  state.failed = 1;
  state.total = 8;
  state.running = 2;
  state.done_here = 4;
  state.elapsed = 8;
  state.seconds_left = 75;
  StageChain::Best best;
  best.options = {{"nu", 0.1}, {"scheme", "inter"}};
  best.val = {81.25, 0.5, 3};
  state.lines.push_back({"dkm", "cora", "nu", {3, 1, 0, 8}, best});
  return state;
}

TEST(SweepView, TellsCountRateTimeLeftAndTheBest) {
  std::ostringstream out;
  SweepView view("mine", out, SweepView::Style::lines, 80);
  view.show(half_done());
  EXPECT_EQ(
      out.str(),
      "mine: 4/8 runs, 1 failed, 2 running, 30.0 runs/min, about 1:15 left; dkm cora 81.25 ± 0.50  nu=0.1 "
      "scheme=inter\n");
  view.show(half_done());
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << "a log is not flooded";
}

TEST(SweepView, RedrawsABlockThatFitsTheTerminal) {
  std::ostringstream out;
  SweepView view("mine", out, SweepView::Style::block, 60);
  view.show(half_done());
  const std::string first = out.str();
  EXPECT_NE(first.find("[############............]"), std::string::npos) << first;
  EXPECT_EQ(std::count(first.begin(), first.end(), '\n'), 2);
  std::istringstream lines(first);
  for (std::string line; std::getline(lines, line) && line != "\x1b[J";)
    EXPECT_LE(line.find("\x1b[K"), 61u) << line;
  view.show(half_done());
  EXPECT_TRUE(out.str().substr(first.size()).starts_with("\x1b[2F")) << "two lines up";
  view.message("something happened");
  EXPECT_TRUE(out.str().ends_with("\x1b[2F\x1b[Jgdkm: something happened\n"));
}

TEST(SweepView, QuietIsQuiet) {
  std::ostringstream out;
  SweepView view("mine", out, SweepView::Style::quiet, 60);
  view.show(half_done());
  view.message("something happened");
  EXPECT_EQ(out.str(), "");
}

TEST(TextTable, LinesUpWhateverTheLetters) {
  TextTable table({"name", "value"});
  table.align_right({1});
  table.add({"ν", "1 ± 2"});
  table.add({"longer", "10"});
  EXPECT_EQ(table.text(), "name    value\nν       1 ± 2\nlonger     10\n");
}

}  // namespace
}  // namespace gdkm
