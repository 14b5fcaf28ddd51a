#include "gdkm/experiments/drawing/line_chart.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gdkm/experiments/drawing/chart_panels.hpp"
#include "gdkm/experiments/drawing/html_page.hpp"

namespace gdkm {
namespace {

LineChart two_lines() {
  LineChart chart;
  chart.series = {{"fixed", 1, true, true, {{0, 79.7, 2}, {0.5, 90, 1}, {1, 100, 0}}},
                  {"learned", 0, false, true, {{0, 85.1, 2}, {0.5, 93, 1}, {1, 100, 0}}}};
  chart.names = LineChart::Names::left;
  chart.value_decimals = 1;
  chart.fit_axes(0, 100);
  return chart;
}

std::string on_a_page(const LineChart& chart) {
  return to_svg({"a < b", "", "", {chart}, 1, 300, 200}, SvgDocument::Use::page);
}

std::vector<double> places(const Axis& axis) {
  std::vector<double> out;
  for (const Axis::Tick& tick : axis.ticks) out.push_back(tick.at);
  return out;
}

TEST(Axis, TicksAreRoundAndCoverTheRange) {
  const Axis axis = round_axis(77.2, 99.1);
  EXPECT_EQ(places(axis), (std::vector<double>{75, 80, 85, 90, 95, 100}));
  EXPECT_EQ(axis.ticks[0].label, "75");
  const Axis small = round_axis(-0.03, 0.11);
  EXPECT_LE(small.low, -0.03);
  EXPECT_GE(small.high, 0.11);
  EXPECT_EQ(small.ticks[0].label, "−0.05");
  EXPECT_EQ(small.ticks[1].label, "0.00");
}

TEST(Axis, OneValueAndNoValueStillHaveAnAxis) {
  EXPECT_LT(round_axis(3, 3).low, round_axis(3, 3).high);
  EXPECT_LT(round_axis(INFINITY, -INFINITY).low, round_axis(INFINITY, -INFINITY).high);
}

TEST(PercentAxis, SpansAtLeastEightPointsWithinTheHundred) {
  for (const auto& [low, high] :
       std::vector<std::pair<double, double>>{{80, 80.5}, {97, 99.5}, {0.5, 1}, {20, 70}}) {
    const Axis axis = percent_axis(low, high, 8);
    EXPECT_GE(axis.high - axis.low, 8 - 1e-9);
    EXPECT_LE(axis.low, low);
    EXPECT_GE(axis.high, high);
    EXPECT_GE(axis.low, 0);
    EXPECT_LE(axis.high, 100);
    EXPECT_GE(axis.ticks.size(), 3u);
  }
}

TEST(LineChart, PointsLieWhereTheAxesSay) {
  const LineChart chart = two_lines();
  EXPECT_EQ(chart.y_axis.high, 100);
  const ChartFrame frame{chart, 40, 10, 300, 200};
  EXPECT_GT(frame.x(0), frame.left) << "names have room at the left ends";
  EXPECT_LE(frame.x(1), frame.left + frame.width);
  EXPECT_DOUBLE_EQ(frame.x(0.5), (frame.x(0) + frame.x(1)) / 2);
  EXPECT_DOUBLE_EQ(frame.y(100), frame.top);
  EXPECT_DOUBLE_EQ(frame.y(chart.y_axis.low), frame.top + frame.height);
  EXPECT_GT(frame.y(79.7), frame.y(85.1)) << "larger values are higher up";
  EXPECT_DOUBLE_EQ(frame.y(120), frame.top) << "what lies beyond the axis stays inside";
}

TEST(LineChart, SvgHoldsLinesNamesAndValues) {
  const std::string svg = on_a_page(two_lines());
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  EXPECT_NE(svg.find("aria-label='a &lt; b'"), std::string::npos);
  EXPECT_NE(svg.find("learned: 85.1 ± 2.0 at 0"), std::string::npos);
  EXPECT_NE(svg.find(">fixed</text>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(LineChart, HasThePagesColoursOnAPageAndItsOwnInAFile) {
  EXPECT_NE(on_a_page(two_lines()).find("stroke='var(--c0)'"), std::string::npos);
  const std::string file = to_svg({"", "", "", {two_lines()}});
  EXPECT_EQ(file.find("var("), std::string::npos);
  EXPECT_NE(file.find(fmt::format("stroke='{}'", colours::series[0].light)), std::string::npos);
}

TEST(LineChart, EmptyChartHasAxesOnly) {
  LineChart empty;
  empty.fit_axes();
  const std::string svg = on_a_page(empty);
  EXPECT_NE(svg.find("<text"), std::string::npos);
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
