#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/drawing/axis.hpp"
#include "gdkm/experiments/drawing/svg_document.hpp"

namespace gdkm {

struct ChartPoint {
  double x = 0, y = 0, spread = 0;  // the band is y ± spread
  bool apart = false;               // joined to the point before by a dotted line: a break in the axis
};

/// One line of a chart. Lines differ in colour and in marker, so that they can be told apart without colour.
struct ChartSeries {
  std::string name;
  int style = 0;  // the number of its colour and marker in colours.hpp
  bool dashed = false, markers = true;
  std::vector<ChartPoint> points;
};

/// Lines with error bands. An empty chart still has axes.
struct LineChart {
  enum class Names {
    inside,  // below the line's right end
    left     // beside its left end, which leaves room for them; no two overlap
  };
  struct Mark {
    double x = 0;
    std::string text;
  };

  std::string title, subtitle, x_label, y_label;  // markup; "" for none
  Axis x_axis, y_axis;
  std::vector<ChartSeries> series;
  Names names = Names::inside;
  std::optional<double> baseline;     // a heavier horizontal line
  std::optional<Mark> mark;           // a dotted vertical line, with a remark
  std::optional<int> value_decimals;  // of what pointing at a marker shows; nothing for no remarks

  /// Sets axes at round numbers that cover all points, their bands within [least, most], and the baseline.
  void fit_axes(double least = -INFINITY, double most = INFINITY);
};

/// Where a chart's data lies on the page.
struct ChartFrame {
  const LineChart& chart;
  double left = 0, top = 0, width = 0, height = 0;  // of the plotting area

  double x(double value) const;
  double y(double value) const;  // values beyond the axis are drawn at its end
};

void draw(SvgDocument& svg, const ChartFrame& frame);

/// A short stretch of the line with its name to the right, from x on, and about how wide that is.
void draw_legend_entry(SvgDocument& svg, double x, double y, const ChartSeries& line);
double legend_width(const ChartSeries& line);

/// Heights for labels that want to be at `wanted`: in the same order, at least `gap` apart, within [top,
/// bottom] where they fit, and moved no more than that takes.
std::vector<double> spread_labels(std::vector<double> wanted, double gap, double top, double bottom);

}  // namespace gdkm
