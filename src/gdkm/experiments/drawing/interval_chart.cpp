#include "gdkm/experiments/drawing/interval_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/drawing/html_page.hpp"
#include "gdkm/experiments/number_text.hpp"

namespace gdkm {

namespace {

using namespace colours;

constexpr double edge = 10, names_room = 136, notes_room = 52, plot_width = 400, pitch = 9, row_gap = 8,
                 group_room = 24, axis_room = 42, legend_room = 20, radius = 3;

/// From the least to the largest end of an interval, zero included.
Axis axis_of(const IntervalChart& chart) {
  double low = 0, high = 0;
  for (const auto& group : chart.groups) {
    for (const auto& row : group.rows) {
      for (const auto& value : row.values) {
        if (!value) continue;
        const double half = std::isnan(value->half) ? 0 : value->half;
        low = std::min(low, value->mean - half);
        high = std::max(high, value->mean + half);
      }
    }
  }
  return round_axis(low, high, 7);
}

}  // namespace

std::string to_svg(const IntervalChart& chart, SvgDocument::Use use) {
  const double row_height =
      row_gap + pitch * static_cast<double>(std::max<std::size_t>(chart.series.size(), 1));
  double plot_height = 0;
  for (const auto& group : chart.groups)
    plot_height += group_room + row_height * static_cast<double>(group.rows.size());
  const double left = edge + names_room + notes_room, right = left + plot_width,
               top = edge + (chart.series.size() > 1 ? legend_room : 0), bottom = top + plot_height + 6;
  SvgDocument svg(use, right + 2 * edge, bottom + axis_room, chart.title);

  if (chart.series.size() > 1) {
    double x = edge;
    for (const ChartSeries& each : chart.series) {
      draw_legend_entry(svg, x, edge + 4, each);
      x += legend_width(each);
    }
  }
  const Axis axis = axis_of(chart);
  const auto at = [&](double value) { return position(axis, value, left, right); };
  for (const auto& tick : axis.ticks) {
    svg.line(at(tick.at), top + 6, at(tick.at), bottom, {rule, 0.7});
    svg.text(at(tick.at), bottom + 13, tick.label, {9, "middle", soft});
  }
  svg.line(at(0), top + 6, at(0), bottom, {faint, 1});
  svg.text((left + right) / 2, bottom + 31, chart.x_label, {10.5, "middle", ink});

  double y = top;
  for (const auto& group : chart.groups) {
    svg.text(edge, y + group_room - 7, escape_html(group.title), {10.5, "start", ink, true});
    y += group_room;
    for (const auto& row : group.rows) {
      const double centre = y + row_height / 2;
      svg.text(edge + names_room - 6, centre + 3.2, escape_html(row.name), {10, "end", ink});
      svg.text(left - 8, centre + 3.2, escape_html(row.note), {9, "end", faint});
      for (std::size_t k = 0; k < row.values.size(); ++k) {
        const auto& value = row.values[k];
        if (!value) continue;
        const double at_y = y + row_gap / 2 + pitch * (static_cast<double>(k) + 0.5);
        const int style = chart.series[k].style;
        const Colour colour = series[static_cast<std::size_t>(style) % series.size()];
        if (!std::isnan(value->half))
          svg.line(at(value->mean - value->half), at_y, at(value->mean + value->half), at_y,
                   {colour, 1.4, value->tentative ? "2.5 2" : ""});
        svg.marker(at(value->mean), at_y, radius, style,
                   fmt::format("{}, {}: {}", row.name, chart.series[k].name,
                               interval_text(value->mean, value->half, 2)));
      }
      y += row_height;
    }
  }
  return std::move(svg).finish();
}

}  // namespace gdkm
