#include "gdkm/experiments/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "gdkm/experiments/html_text.hpp"

namespace gdkm {

namespace {

constexpr double room_for_names = 88, label_height = 16;

struct Range {
  double low = INFINITY, high = -INFINITY;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

std::string marker(int style, double x, double y) {
  constexpr double r = 3.6;
  switch (style % 4) {
    case 0:
      return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{}'/>", x, y, r);
    case 1:
      return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{}' height='{}'/>", x - r, y - r, 2 * r, 2 * r);
    case 2:
      return fmt::format("<path d='M{:.1f} {:.1f}l{} {}h{}z'/>", x, y - 1.2 * r, 1.2 * r, 2.1 * r, -2.4 * r);
    default:
      return fmt::format("<path d='M{:.1f} {:.1f}l{} {}l{} {}l{} {}z'/>", x, y - 1.3 * r, 1.3 * r, 1.3 * r,
                         -1.3 * r, 1.3 * r, -1.3 * r, -1.3 * r);
  }
}

std::string axes(const LineChart& chart, const ChartFrame& frame) {
  std::string out;
  for (const double tick : frame.y_axis.ticks) {
    const double y = frame.y(tick);
    out += fmt::format("<line class='grid' x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>", frame.left,
                       frame.right, y, y);
    out += fmt::format("<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='end'>{}</text>", frame.left - 7,
                       y + 4, frame.y_axis.label(tick));
  }
  for (const double tick : frame.x_axis.ticks) {
    out += fmt::format(
        "<line class='axis' x1='{0:.1f}' x2='{0:.1f}' y1='{1:.1f}' y2='{2:.1f}'/>"
        "<text class='tick' x='{0:.1f}' y='{3:.1f}' text-anchor='middle'>{4}</text>",
        frame.x(tick), frame.bottom, frame.bottom + 4, frame.bottom + 18, frame.x_axis.label(tick));
  }
  out += fmt::format("<line class='axis' x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>", frame.left,
                     frame.right, frame.bottom, frame.bottom);
  if (chart.reference && *chart.reference > frame.y_axis.low && *chart.reference < frame.y_axis.high) {
    const double y = frame.y(*chart.reference);
    out += fmt::format("<line class='axis' x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>", frame.left,
                       frame.right, y, y);
  }
  out += fmt::format("<text class='name' x='{:.1f}' y='{:.1f}' text-anchor='end'>{}</text>", frame.right,
                     chart.height - 8, escape_html(chart.x_label));
  out += fmt::format("<text class='name' x='2' y='14'>{}</text>", escape_html(chart.y_label));
  if (chart.mark) {
    const double x = frame.x(chart.mark->x);
    out += fmt::format(
        "<line class='mark' x1='{0:.1f}' x2='{0:.1f}' y1='{1:.1f}' y2='{2:.1f}'/>"
        "<text class='remark' x='{3:.1f}' y='{4:.1f}'>{5}</text>",
        x, frame.top, frame.bottom, x + 5, frame.bottom - 7, escape_html(chart.mark->text));
  }
  return out;
}

std::string line(const LineChart& chart, const ChartFrame& frame, const ChartSeries& series) {
  std::string path, upper, lower, markers;
  for (const ChartPoint& p : series.points) {
    const auto clamp = [&](double y) { return std::clamp(y, frame.y_axis.low, frame.y_axis.high); };
    const double x = frame.x(p.x), y = frame.y(p.y);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    upper += fmt::format("{}{:.1f} {:.1f}", upper.empty() ? "M" : "L", x, frame.y(clamp(p.y + p.spread)));
    lower = fmt::format("L{:.1f} {:.1f}", x, frame.y(clamp(p.y - p.spread))) + lower;
    markers +=
        fmt::format("<g><title>{}: {:.{}f} ± {:.{}f} at {:g}</title>{}</g>", escape_html(series.name), p.y,
                    chart.value_decimals, p.spread, chart.value_decimals, p.x, marker(series.style, x, y));
  }
  return fmt::format(
      "<g class='series s{}'><path class='band' d='{}{}z'/><path class='line{}' d='{}'/>{}</g>",
      series.style % 6, upper, lower, series.style == 0 ? " dashed" : "", path, markers);
}

std::string names(const LineChart& chart, const ChartFrame& frame) {
  const bool left = chart.names == LineChart::Names::left;
  std::vector<const ChartSeries*> named;
  std::vector<double> wanted;
  for (const ChartSeries& series : chart.series) {
    if (series.points.empty()) continue;
    named.push_back(&series);
    wanted.push_back(frame.y((left ? series.points.front() : series.points.back()).y));
  }
  const std::vector<double> placed = spread_labels(wanted, label_height, frame.top, frame.bottom - 4);
  std::string out;
  for (std::size_t k = 0; k < named.size(); ++k) {
    const ChartPoint& end = left ? named[k]->points.front() : named[k]->points.back();
    const double side = left ? -1 : 1, x = frame.x(end.x) + side * 7;
    out += fmt::format(
        "<g class='series s{}'><path class='leader' d='M{:.1f} {:.1f}L{:.1f} {:.1f}h{}'/></g>"
        "<text class='direct' x='{:.1f}' y='{:.1f}' text-anchor='{}'>{}</text>",
        named[k]->style % 6, x, wanted[k], x + side * 10, placed[k], side * 5, x + side * 18, placed[k] + 4,
        left ? "end" : "start", escape_html(named[k]->name));
  }
  return out;
}

}  // namespace

ChartFrame::ChartFrame(const LineChart& chart) {
  Range xs, ys;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      xs.include(point.x);
      ys.include(std::max(point.y - point.spread, chart.least.value_or(-INFINITY)));
      ys.include(std::min(point.y + point.spread, chart.most.value_or(INFINITY)));
    }
  }
  if (chart.reference) ys.include(*chart.reference);
  x_axis = round_axis(xs.low, xs.high);
  y_axis = round_axis(ys.low, ys.high);
  left = 44;
  right = chart.width - 12;
  top = 32;
  bottom = chart.height - 48;
  const bool names_left = chart.names == LineChart::Names::left;
  first = left + (names_left ? room_for_names : 10);
  last = right - (names_left ? 10 : room_for_names);
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

std::string to_svg(const LineChart& chart) {
  const ChartFrame frame(chart);
  std::string out = fmt::format("<svg class='chart' viewBox='0 0 {} {}' role='img' aria-label='{}'>",
                                chart.width, chart.height, escape_html(chart.title));
  out += axes(chart, frame);
  // The reference is drawn last, over the ramp.
  for (auto series = chart.series.rbegin(); series != chart.series.rend(); ++series) {
    if (!series->points.empty()) out += line(chart, frame, *series);
  }
  out += names(chart, frame);
  return out + "</svg>\n";
}

std::string chart_style() {
  return R"css(
:root { --s0: #c4500c; --s1: #8bbbe8; --s2: #3b83c9; --s3: #123f78; --s4: #6a4c93; --s5: #2f7d5b; }
@media screen and (prefers-color-scheme: dark) {
  :root { --s0: #f5935a; --s1: #4277ae; --s2: #7db4ee; --s3: #d3e8ff; --s4: #b79be0; --s5: #74c7a2; }
}
.chart { display: block; width: 100%; height: auto; font: 12.5px/1 var(--sans, system-ui, sans-serif); }
.chart text { fill: var(--ink, #222); font-variant-numeric: tabular-nums; }
.chart .tick, .chart .remark { fill: var(--faint, #666); }
.chart .remark { font-size: 0.92em; }
.chart .name { fill: var(--soft, #444); }
.chart .direct { font-weight: 600; }
.chart .grid { stroke: var(--line, #ddd); stroke-width: 1; }
.chart .axis { stroke: var(--faint, #666); stroke-width: 1; }
.chart .mark { stroke: var(--faint, #666); stroke-width: 1; stroke-dasharray: 1 3; }
.chart .s0 { --c: var(--s0); } .chart .s1 { --c: var(--s1); } .chart .s2 { --c: var(--s2); }
.chart .s3 { --c: var(--s3); } .chart .s4 { --c: var(--s4); } .chart .s5 { --c: var(--s5); }
.chart .line { fill: none; stroke: var(--c); stroke-width: 2.2; stroke-linejoin: round; }
.chart .dashed { stroke-dasharray: 6 4; }
.chart .band { fill: var(--c); opacity: 0.13; }
.chart .leader { fill: none; stroke: var(--c); stroke-width: 1.6; }
@media (max-width: 520px) { .chart { font-size: 15px; } }
.chart .series g { fill: var(--c); stroke: var(--paper, #fff); stroke-width: 1; }
)css";
}

}  // namespace gdkm
