#include "gdkm/experiments/drawing/line_chart.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/experiments/drawing/html_text.hpp"

namespace gdkm {
namespace {

LineChart two_lines() {
  LineChart chart;
  chart.title = "a < b";
  chart.series = {{"fixed", 0, {{0, 79.7, 2}, {0.5, 90, 1}, {1, 100, 0}}},
                  {"learned", 1, {{0, 85.1, 2}, {0.5, 93, 1}, {1, 100, 0}}}};
  chart.most = 100;
  return chart;
}

TEST(Axis, TicksAreRoundAndCoverTheRange) {
  const Axis axis = round_axis(77.2, 99.1);
  EXPECT_EQ(axis.ticks, (std::vector<double>{75, 80, 85, 90, 95, 100}));
  EXPECT_EQ(axis.label(75), "75");
  const Axis small = round_axis(-0.03, 0.11);
  EXPECT_LE(small.low, -0.03);
  EXPECT_GE(small.high, 0.11);
  EXPECT_EQ(small.label(small.low), "−0.05");
  EXPECT_EQ(small.label(-1e-17), "0.00");
}

TEST(Axis, OneValueAndNoValueStillHaveAnAxis) {
  EXPECT_LT(round_axis(3, 3).low, round_axis(3, 3).high);
  EXPECT_LT(round_axis(INFINITY, -INFINITY).low, round_axis(INFINITY, -INFINITY).high);
}

TEST(LineChart, PointsLieWhereTheAxesSay) {
  const LineChart chart = two_lines();
  const ChartFrame frame(chart);
  EXPECT_EQ(frame.y_axis.high, 100);
  EXPECT_DOUBLE_EQ(frame.x(0), frame.first);
  EXPECT_DOUBLE_EQ(frame.x(1), frame.last);
  EXPECT_DOUBLE_EQ(frame.x(0.5), (frame.first + frame.last) / 2);
  EXPECT_DOUBLE_EQ(frame.y(100), frame.top);
  EXPECT_DOUBLE_EQ(frame.y(frame.y_axis.low), frame.bottom);
  EXPECT_GT(frame.y(79.7), frame.y(85.1)) << "larger values are higher up";
  EXPECT_GE(frame.first, frame.left);
  EXPECT_LE(frame.last, frame.right);
}

TEST(LineChart, SvgHoldsLinesNamesAndValues) {
  const std::string svg = to_svg(two_lines());
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  EXPECT_NE(svg.find("aria-label='a &lt; b'"), std::string::npos);
  EXPECT_NE(svg.find("learned: 85.1 ± 2.0 at 0"), std::string::npos);
  EXPECT_NE(svg.find(">fixed</text>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(LineChart, EmptyChartHasAxesOnly) {
  const std::string svg = to_svg(LineChart{});
  EXPECT_NE(svg.find("class='tick'"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(LineChart, NamesKeepTheirDistanceAndOrder) {
  const auto placed = spread_labels({100, 101, 40, 102}, 15, 20, 300);
  EXPECT_DOUBLE_EQ(placed[2], 40);
  EXPECT_DOUBLE_EQ(placed[1] - placed[0], 15);
  EXPECT_DOUBLE_EQ(placed[3] - placed[1], 15);
  EXPECT_DOUBLE_EQ(placed[1], 101);
  const auto low = spread_labels({299, 300}, 15, 20, 300);
  EXPECT_DOUBLE_EQ(low[1], 300);
  EXPECT_DOUBLE_EQ(low[0], 285);
}

TEST(HtmlText, EscapesWhatHasAMeaning) {
  EXPECT_EQ(escape_html("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(escape_html("ν = ∞"), "ν = ∞");
}

}  // namespace
}  // namespace gdkm
