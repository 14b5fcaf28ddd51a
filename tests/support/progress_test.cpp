#include "gdkm/support/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace gdkm {
namespace {

/// A progress display whose time the test moves.
struct Display {
  explicit Display(Progress::Style style, std::int64_t total = 300, int columns = 80,
                   std::string label = "cora")
      : progress(
            std::move(label), total, out, style, [this] { return time; }, columns) {}

  std::vector<std::string> pieces(char separator) const {
    std::vector<std::string> all;
    std::istringstream text(out.str());
    for (std::string piece; std::getline(text, piece, separator);) all.push_back(piece);
    return all;
  }
  /// What a terminal received each time that the line was drawn anew, without the control sequences.
  std::vector<std::string> redraws() const {
    std::vector<std::string> all;
    for (auto piece : pieces('\r')) {
      if (const auto at = piece.find('\x1b'); at != std::string::npos) piece.resize(at);
      if (!piece.empty()) all.push_back(piece);
    }
    return all;
  }

  double time = 100;
  std::ostringstream out;
  Progress progress;
};

int characters(const std::string& text) {
  return static_cast<int>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

TEST(Progress, SaysOnATerminalHowFarHowFastAndHowLong) {
  Display display(Progress::Style::bar);
  display.time += 10;
  display.progress.update(100, "loss 1.23");
  ASSERT_EQ(display.redraws().size(), 1u);
  EXPECT_EQ(display.redraws()[0],
            "cora  [##########....................]  100/300  10.0/s  0:20 left  loss 1.23");
}

TEST(Progress, RedrawsATerminalAtMostTenTimesASecond) {
  Display display(Progress::Style::bar, 10000);
  for (int k = 1; k <= 10000; ++k) {
    display.time += 0.0005;
    display.progress.update(k, "x");
  }
  EXPECT_LE(display.redraws().size(), 51u);
  EXPECT_GE(display.redraws().size(), 45u);
}

TEST(Progress, EndsItsLineWithTheLastStateOnce) {
  Display display(Progress::Style::bar);
  display.progress.update(1, "a");
  display.time += 0.01;
  display.progress.update(300, "b");
  display.time += 61;
  display.progress.finish();
  display.progress.finish();
  display.progress.update(300, "after the end");
  const std::string last = display.redraws().back();
  EXPECT_NE(last.find("300/300"), std::string::npos);
  EXPECT_NE(last.find("in 1:01"), std::string::npos);
  EXPECT_NE(last.find("  b"), std::string::npos);
  const std::string all = display.out.str();
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1);
  EXPECT_EQ(all.back(), '\n');
}

TEST(Progress, NeverFillsTheLastColumn) {
  for (int columns : {1, 2, 5, 10, 20, 40, 60, 200}) {
    Display display(Progress::Style::bar, 1000000, columns,
                    "a label that is much too long for a narrow terminal, ν=∞");
    display.progress.start_at(3);
    for (const char* suffix :
         {"", "loss 1.23", "élan vital et longues phrases qui ne finissent jamais vraiment"}) {
      display.time += 40;
      display.progress.update(1234, suffix);
    }
    display.progress.finish();
    for (const auto& line : display.redraws()) EXPECT_LE(characters(line), std::max(1, columns - 1)) << line;
  }
}

TEST(Progress, KeepsCountTimeAndSuffixAtFortyColumns) {
  Display display(Progress::Style::bar, 300, 40);
  display.time += 4;
  display.progress.update(120, "loss 1.23");
  EXPECT_EQ(display.redraws().at(0), "cora  120/300  0:06 left  loss 1.23");
}

TEST(Progress, KeepsControlCharactersOffTheTerminal) {
  Display display(Progress::Style::bar, 300, 80, "two\nlines");
  display.progress.update(1, "back\rspace");
  EXPECT_EQ(display.out.str().find('\n'), std::string::npos);
  EXPECT_EQ(display.redraws().size(), 1u);
}

TEST(Progress, ClearsTheLineForAMessageAndDrawsItAgain) {
  Display display(Progress::Style::bar);
  display.progress.update(1);
  display.progress.clear();
  const std::string cleared = display.out.str();
  EXPECT_TRUE(cleared.ends_with("\r\x1b[K"));
  display.progress.clear();
  EXPECT_EQ(display.out.str(), cleared);
  display.progress.update(2);
  EXPECT_NE(display.out.str().find("2/300"), std::string::npos);
}

TEST(Progress, WritesAPlainLineEveryFiveSecondsAndALastOne) {
  Display display(Progress::Style::lines, 1200);
  for (int k = 1; k <= 1200; ++k) {
    display.time += 0.01;
    display.progress.update(k, "loss 1.23");
  }
  display.progress.finish();
  const auto lines = display.pieces('\n');
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[2], "cora: 1200/1200  100/s  in 0:12  loss 1.23");
  EXPECT_EQ(display.out.str().find('\r'), std::string::npos);
  EXPECT_EQ(display.out.str().find('\x1b'), std::string::npos);
}

TEST(Progress, LeavesEarlierWorkOutOfTheRate) {
  Display display(Progress::Style::lines);
  display.progress.start_at(100);
  display.time += 10;
  display.progress.update(150);
  EXPECT_EQ(display.out.str(), "cora: 150/300  5.0/s  0:30 left\n");
}

TEST(Progress, SaysHowLongSlowStepsTakeAndCountsWithoutATotal) {
  Display display(Progress::Style::lines, 0);
  display.time += 3700;
  display.progress.update(2);
  display.progress.finish();
  EXPECT_EQ(display.out.str(), "cora: 2  30:50 each\ncora: 2  30:50 each  in 1:01:40\n");
}

TEST(Progress, WritesNothingWhenQuietOrNeverUpdated) {
  ::testing::internal::CaptureStderr();
  {
    Progress quiet("cora", 10, Progress::Mode::quiet);
    quiet.update(5, "loss");
    quiet.clear();
    quiet.finish();
    Progress untouched("cora", 10);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, WritesPlainLinesToAFile) {
  ::testing::internal::CaptureStderr();
  { Progress("cora", 10).update(10, "loss 1"); }
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(text.starts_with("cora: 10/10  ")) << text;
  EXPECT_TRUE(text.ends_with("in 0:00  loss 1\n")) << text;
}

TEST(Progress, OutlivesAStreamThatThrows) {
  std::ostringstream out;
  out.exceptions(std::ios::badbit | std::ios::failbit);
  Progress progress(
      "cora", 10, out, Progress::Style::bar, [] { return 1.0; }, 80);
  progress.update(1);
  EXPECT_THROW(out.setstate(std::ios::badbit), std::ios::failure);
  EXPECT_NO_THROW(progress.clear());
  EXPECT_NO_THROW(progress.update(2));
  EXPECT_NO_THROW(progress.finish());
}

}  // namespace
}  // namespace gdkm
