#pragma once

#include <string>
#include <vector>

#include "gdkm/experiments/drawing/line_chart.hpp"

namespace gdkm {

/// Charts of one kind side by side, row by row; one alone is a figure, too.
struct ChartPanels {
  std::string title;             // for screen readers
  std::string x_label, y_label;  // of all panels together; "" where each has its own
  std::vector<LineChart> panels;
  int columns = 5;
  double width = 128, height = 96;  // of the plotting area of each
  /// Names lines of all panels, below them; their points do not matter.
  std::vector<ChartSeries> legend = {};
};

std::string to_svg(const ChartPanels& figure, SvgDocument::Use use = SvgDocument::Use::file);

}  // namespace gdkm
