#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/axis.hpp"

namespace gdkm {

struct ChartPoint {
  double x = 0, y = 0, spread = 0;  // the band is y ± spread
};

/// One line of a chart. Colour, marker and dash follow from its place in the chart, so that lines differ
/// without colour, too.
struct ChartSeries {
  std::string name;
  int style = 0;  // 0 is the dashed reference; 1, 2, … are a ramp
  std::vector<ChartPoint> points;
};

/// Lines with error bands, each named at its own end instead of in a legend. An empty chart still has axes.
struct LineChart {
  enum class Names { left, right };
  struct Mark {
    double x = 0;
    std::string text;
  };

  std::string title, x_label, y_label;
  std::vector<ChartSeries> series;
  std::optional<double> least, most;  // what y must not leave: 100 for percentages
  std::optional<double> reference;    // a heavier horizontal line
  std::optional<Mark> mark;           // a vertical one, with a remark
  Names names = Names::right;
  int value_decimals = 1;  // of what pointing at a marker shows
  double width = 470, height = 350;
};

/// Where data lies on the page.
struct ChartFrame {
  Axis x_axis, y_axis;
  double left = 0, right = 0, top = 0, bottom = 0;  // of the plotting area
  double first = 0, last = 0;                       // the ends of the x axis, beside the room for names

  explicit ChartFrame(const LineChart& chart);
  double x(double value) const { return position(x_axis, value, first, last); }
  double y(double value) const { return position(y_axis, value, bottom, top); }
};

/// Heights for labels that want to be at `wanted`: in the same order, at least `gap` apart, within [top,
/// bottom] where they fit, and moved no more than that takes.
std::vector<double> spread_labels(std::vector<double> wanted, double gap, double top, double bottom);

/// The chart as an <svg> element; its colours are those of chart_style().
std::string to_svg(const LineChart& chart);

/// CSS of all charts, light and dark.
std::string chart_style();

}  // namespace gdkm
