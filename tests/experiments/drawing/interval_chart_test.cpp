#include "gdkm/experiments/drawing/interval_chart.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gdkm {
namespace {

IntervalChart chart_of_two() {
  IntervalChart out;
  out.title = "Gains";
  out.x_label = "points";
  out.series = {{"one", 0, false, true, {}}, {"two", 1, false, true, {}}};
  out.groups = {{"Graphs", {{"A & B", "h < 1", {IntervalChart::Value{1, NAN, false}, std::nullopt}}}}};
  return out;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

TEST(IntervalChart, HasAMarkerAndNoIntervalForASingleDifference) {
  const std::string svg = to_svg(chart_of_two());
  EXPECT_EQ(count(svg, "<title>A &amp; B, one: 1.00</title>"), 1u) << svg;
  EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
  EXPECT_EQ(svg.find(", two: "), std::string::npos) << "the second series has no value";
}

TEST(IntervalChart, EscapesNamesAndNotes) {
  const std::string svg = to_svg(chart_of_two());
  EXPECT_NE(svg.find(">A &amp; B<"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">h &lt; 1<"), std::string::npos) << svg;
}

TEST(IntervalChart, HasALegendForSeveralSeriesAlone) {
  IntervalChart chart = chart_of_two();
  EXPECT_EQ(count(to_svg(chart), ">two<"), 1u);
  chart.series.pop_back();
  chart.groups[0].rows[0].values.pop_back();
  EXPECT_EQ(to_svg(chart).find(">one<"), std::string::npos);
}

}  // namespace
}  // namespace gdkm
