#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/drawing/line_chart.hpp"

namespace gdkm {

/// Differences with their intervals: rows in groups, and in each row a marker for each series that has a
/// value. A vertical line stands at zero.
struct IntervalChart {
  struct Value {
    double mean = 0, half = 0;  // the interval is mean ± half; NaN for none
    bool tentative = false;     // drawn with a dashed interval
  };
  struct Row {
    std::string name, note;                    // plain text, to the left
    std::vector<std::optional<Value>> values;  // one for each series
  };
  struct Group {
    std::string title;
    std::vector<Row> rows;
  };

  std::string title;                // for screen readers
  std::string x_label;              // markup
  std::vector<ChartSeries> series;  // names and styles; their points do not matter
  std::vector<Group> groups;
};

std::string to_svg(const IntervalChart& chart, SvgDocument::Use use = SvgDocument::Use::file);

}  // namespace gdkm
