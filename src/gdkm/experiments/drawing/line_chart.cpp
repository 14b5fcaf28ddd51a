#include "gdkm/experiments/drawing/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gdkm/experiments/drawing/html_page.hpp"

namespace gdkm {

namespace {

using namespace colours;

constexpr double room_for_names = 64, label_height = 13, swatch = 22, legend_text = 9.5;

Colour colour_of(const ChartSeries& line) {
  return series[static_cast<std::size_t>(line.style) % series.size()];
}

/// Dashed lines differ without colour, too.
std::string_view dash_of(const ChartSeries& line) {
  if (!line.dashed) return "";
  return line.style == 3 ? "2 2.5" : line.style == 4 ? "8 2 1.5 2" : "5 3";
}

void draw_axes(SvgDocument& svg, const ChartFrame& frame) {
  const LineChart& chart = frame.chart;
  const double right = frame.left + frame.width, bottom = frame.top + frame.height,
               centre = frame.left + frame.width / 2;
  for (const auto& tick : chart.y_axis.ticks) {
    const double y = frame.y(tick.at);
    svg.line(frame.left, y, right, y, {rule, 0.7});
    svg.text(frame.left - 5, y + 3.2, tick.label, {9, "end", soft});
  }
  for (const auto& tick : chart.x_axis.ticks) {
    const double x = frame.x(tick.at);
    svg.line(x, bottom, x, bottom + 3, {soft, 0.8});
    svg.text(x, bottom + 13, tick.label, {9, "middle", soft});
  }
  svg.line(frame.left, bottom, right, bottom, {soft, 0.8});
  svg.line(frame.left, frame.top, frame.left, bottom, {soft, 0.8});
  if (chart.baseline)
    svg.line(frame.left, frame.y(*chart.baseline), right, frame.y(*chart.baseline), {faint, 0.8});
  svg.text(centre, frame.top - 19, chart.title, {11, "middle", ink, true});
  svg.text(centre, frame.top - 7, chart.subtitle, {9.5, "middle", soft});
  svg.text(centre, bottom + 29, chart.x_label, {10.5, "middle", ink});
  svg.text(frame.left - 36, frame.top + frame.height / 2, chart.y_label, {10.5, "middle", ink, false, true});
  if (!chart.mark) return;
  const double x = frame.x(chart.mark->x);
  svg.line(x, frame.top, x, bottom, {faint, 0.8, "1 2.5"});
  svg.text(x + 4, bottom - 5, chart.mark->text, {9, "start", faint});
}

/// The band, over each stretch without a break; a point that stands alone gets a bar.
void draw_band(SvgDocument& svg, const ChartFrame& frame, const ChartSeries& line) {
  std::string upper, lower;
  std::size_t count = 0;
  for (std::size_t k = 0; k < line.points.size(); ++k) {
    const ChartPoint& p = line.points[k];
    const double x = frame.x(p.x), high = frame.y(p.y + p.spread), low = frame.y(p.y - p.spread);
    upper += fmt::format("{}{:.1f} {:.1f}", count == 0 ? "M" : "L", x, high);
    lower = fmt::format("L{:.1f} {:.1f}", x, low) + lower;
    ++count;
    if (k + 1 < line.points.size() && !line.points[k + 1].apart) continue;
    if (count == 1)
      svg.line(x, low, x, high, {colour_of(line), 1.1});
    else
      svg.fill(upper + lower + "z", colour_of(line), 0.15);
    upper = lower = "";
    count = 0;
  }
}

void draw_line(SvgDocument& svg, const ChartFrame& frame, const ChartSeries& line) {
  const auto banded = [](const ChartPoint& p) { return p.spread > 0; };
  if (std::any_of(line.points.begin(), line.points.end(), banded)) draw_band(svg, frame, line);
  std::string path, dotted;
  for (std::size_t k = 0; k < line.points.size(); ++k) {
    const ChartPoint &p = line.points[k], &before = line.points[k > 0 ? k - 1 : 0];
    const bool gap = p.apart && k > 0;
    const std::string here = fmt::format("{:.1f} {:.1f}", frame.x(p.x), frame.y(p.y));
    if (gap) dotted += fmt::format("M{:.1f} {:.1f}L{}", frame.x(before.x), frame.y(before.y), here);
    path += (k == 0 || gap ? "M" : "L") + here;
  }
  svg.stroke(dotted, {colour_of(line), 1.2, "1.5 2.5"});
  svg.stroke(path, {colour_of(line), 1.6, dash_of(line)});
  if (!line.markers) return;
  for (const ChartPoint& p : line.points) {
    const auto digits = frame.chart.value_decimals;
    svg.marker(
        frame.x(p.x), frame.y(p.y), 2.6, line.style,
        digits ? fmt::format("{}: {:.{}f} ± {:.{}f} at {:g}", line.name, p.y, *digits, p.spread, *digits, p.x)
               : "");
  }
}

void draw_names(SvgDocument& svg, const ChartFrame& frame) {
  const LineChart& chart = frame.chart;
  std::vector<const ChartSeries*> named;
  std::vector<double> wanted;
  for (const ChartSeries& line : chart.series) {
    if (line.points.empty() || line.name.empty()) continue;
    if (chart.names == LineChart::Names::inside) {
      const ChartPoint& end = line.points.back();
      svg.text(frame.x(end.x) - 2, frame.y(end.y) + 12, escape_html(line.name),
               {9.5, "end", colour_of(line)});
    } else {
      named.push_back(&line);
      wanted.push_back(frame.y(line.points.front().y));
    }
  }
  const auto placed = spread_labels(wanted, label_height, frame.top, frame.top + frame.height - 4);
  for (std::size_t k = 0; k < named.size(); ++k) {
    const double x = frame.x(named[k]->points.front().x) - 5;
    svg.stroke(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}h-4", x, wanted[k], x - 8, placed[k]),
               {colour_of(*named[k]), 1.2});
    svg.text(x - 14, placed[k] + 3.2, escape_html(named[k]->name), {9.5, "end", ink, true});
  }
}

}  // namespace

void LineChart::fit_axes(double least, double most) {
  double x_low = INFINITY, x_high = -INFINITY, low = baseline.value_or(INFINITY),
         high = baseline.value_or(-INFINITY);
  for (const ChartSeries& line : series) {
    for (const ChartPoint& p : line.points) {
      x_low = std::min(x_low, p.x);
      x_high = std::max(x_high, p.x);
      low = std::min(low, std::max(p.y - p.spread, least));
      high = std::max(high, std::min(p.y + p.spread, most));
    }
  }
  x_axis = round_axis(x_low, x_high);
  y_axis = round_axis(low, high);
}

double ChartFrame::x(double value) const {
  const bool room = chart.names == LineChart::Names::left;
  return position(chart.x_axis, value, left + (room ? room_for_names : 0), left + width - (room ? 8 : 0));
}

double ChartFrame::y(double value) const {
  return position(chart.y_axis, std::clamp(value, chart.y_axis.low, chart.y_axis.high), top + height, top);
}

void draw(SvgDocument& svg, const ChartFrame& frame) {
  draw_axes(svg, frame);
  // The first series is drawn last, over the others.
  for (auto line = frame.chart.series.rbegin(); line != frame.chart.series.rend(); ++line)
    draw_line(svg, frame, *line);
  draw_names(svg, frame);
}

void draw_legend_entry(SvgDocument& svg, double x, double y, const ChartSeries& line) {
  svg.stroke(fmt::format("M{:.1f} {:.1f}h{:.1f}", x, y, swatch), {colour_of(line), 1.6, dash_of(line)});
  if (line.markers) svg.marker(x + swatch / 2, y, 2.6, line.style, "");
  svg.text(x + swatch + 5, y + 3.2, escape_html(line.name), {legend_text, "start", soft});
}

double legend_width(const ChartSeries& line) {
  return swatch + 5 + 0.56 * legend_text * static_cast<double>(line.name.size()) + 14;
}

std::vector<double> spread_labels(std::vector<double> wanted, double gap, double top, double bottom) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  // Labels that touch merge into a group around their common centre, until no groups touch.
  struct Group {
    double centre;
    std::vector<std::size_t> members;
    double half(double gap) const { return 0.5 * gap * static_cast<double>(members.size() - 1); }
  };
  std::vector<Group> groups;
  const auto fit = [&](Group& group) {
    const double half = group.half(gap);
    group.centre = std::max(top + half, std::min(group.centre, bottom - half));
  };
  for (const auto k : order) {
    groups.push_back({wanted[k], {k}});
    fit(groups.back());
    while (groups.size() > 1) {
      Group &above = groups[groups.size() - 2], &below = groups.back();
      if (below.centre - below.half(gap) - (above.centre + above.half(gap)) >= gap) break;
      above.members.insert(above.members.end(), below.members.begin(), below.members.end());
      double sum = 0;
      for (const auto member : above.members) sum += wanted[member];
      above.centre = sum / static_cast<double>(above.members.size());
      groups.pop_back();
      fit(groups.back());
    }
  }
  std::vector<double> out(wanted.size());
  for (const Group& group : groups) {
    double y = group.centre - group.half(gap);
    for (const auto member : group.members) {
      out[member] = y;
      y += gap;
    }
  }
  return out;
}

}  // namespace gdkm
