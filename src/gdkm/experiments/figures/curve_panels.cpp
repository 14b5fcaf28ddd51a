#include "gdkm/experiments/figures/curve_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/axis.hpp"
#include "gdkm/experiments/figures/svg_document.hpp"

namespace gdkm {

namespace {

constexpr double margin = 8, tick_room = 34, title_room = 32, below = 24, label_room = 22,
                 own_label_room = 18;

/// Where a panel's data lies on the page.
struct Frame {
  const CurvePanel& panel;
  double left, top, width, height;

  double x(double value) const {
    return left + (value - panel.x_axis.low) / (panel.x_axis.high - panel.x_axis.low) * width;
  }
  double y(double value) const {
    const double inside = std::clamp(value, panel.y_axis.low, panel.y_axis.high);
    return top + (panel.y_axis.high - inside) / (panel.y_axis.high - panel.y_axis.low) * height;
  }
};

void draw_axes(SvgDocument& svg, const Frame& frame) {
  const double bottom = frame.top + frame.height;
  for (const auto& tick : frame.panel.y_axis.ticks) {
    const double y = frame.y(tick.at);
    svg.line(frame.left, y, frame.left + frame.width, y, {rule, 0.7, ""});
    svg.text(frame.left - 5, y + 3.2, tick.label, {9, "end", soft});
  }
  for (const auto& tick : frame.panel.x_axis.ticks) {
    const double x = frame.x(tick.at);
    svg.line(x, bottom, x, bottom + 3, {soft, 0.8, ""});
    svg.text(x, bottom + 13, tick.label, {9, "middle", soft});
  }
  svg.line(frame.left, bottom, frame.left + frame.width, bottom, {soft, 0.8, ""});
  svg.line(frame.left, frame.top, frame.left, bottom, {soft, 0.8, ""});
  svg.text(frame.left + frame.width / 2, frame.top - 19, frame.panel.title, {11, "middle", ink, true});
  svg.text(frame.left + frame.width / 2, frame.top - 7, frame.panel.subtitle, {9.5, "middle", soft});
  if (!frame.panel.x_label.empty())
    svg.text(frame.left + frame.width / 2, bottom + 29, frame.panel.x_label, {10.5, "middle", ink});
  if (!frame.panel.y_label.empty())
    svg.text(frame.left - 36, frame.top + frame.height / 2, frame.panel.y_label,
             {10.5, "middle", ink, false, true});
}

/// The band, over each stretch without a break; a point that stands alone gets a bar.
void draw_band(SvgDocument& svg, const Frame& frame, const PanelCurve& curve) {
  std::string upper, lower;
  std::size_t count = 0;
  const auto flush = [&](const PanelCurve::Point& last) {
    if (count == 1) {
      svg.line(frame.x(last.x), frame.y(last.y - last.spread), frame.x(last.x), frame.y(last.y + last.spread),
               {blue, 1.1, ""});
    } else if (count > 1) {
      svg.fill(upper + lower + "z", blue, 0.2);
    }
    upper = lower = "";
    count = 0;
  };
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const auto& p = curve.points[k];
    if (p.apart && k > 0) flush(curve.points[k - 1]);
    upper += fmt::format("{}{:.1f} {:.1f}", count == 0 ? "M" : "L", frame.x(p.x), frame.y(p.y + p.spread));
    lower = fmt::format("L{:.1f} {:.1f}", frame.x(p.x), frame.y(p.y - p.spread)) + lower;
    ++count;
  }
  if (!curve.points.empty()) flush(curve.points.back());
}

void draw_curve(SvgDocument& svg, const Frame& frame, const PanelCurve& curve) {
  if (curve.points.empty()) return;
  const auto banded = [](const PanelCurve::Point& p) { return p.spread > 0; };
  if (std::any_of(curve.points.begin(), curve.points.end(), banded)) draw_band(svg, frame, curve);
  const std::string_view colour = curve.reference ? vermilion : blue;
  std::string path, dotted;
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const auto& p = curve.points[k];
    const double x = frame.x(p.x), y = frame.y(p.y);
    if (p.apart && k > 0) {
      const auto& before = curve.points[k - 1];
      dotted += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", frame.x(before.x), frame.y(before.y), x, y);
    }
    path += fmt::format("{}{:.1f} {:.1f}", k == 0 || p.apart ? "M" : "L", x, y);
  }
  if (!dotted.empty()) svg.stroke(dotted, {colour, 1.2, "1.5 2.5"});
  svg.stroke(path, {colour, 1.6, curve.reference ? "5 3" : ""});
  if (curve.markers && !curve.reference) {
    constexpr double r = 2.3;
    std::string dots;
    for (const auto& p : curve.points) {
      dots += fmt::format("M{:.1f} {:.1f}a{} {} 0 1 0 {} 0a{} {} 0 1 0 {} 0z", frame.x(p.x) - r, frame.y(p.y),
                          r, r, 2 * r, r, r, -2 * r);
    }
    svg.fill(dots, colour);
  }
  if (!curve.name.empty()) {
    const auto& end = curve.points.back();
    svg.text(frame.x(end.x) - 2, frame.y(end.y) + (curve.reference ? 12 : -5), curve.name,
             {9.5, "end", colour});
  }
}

}  // namespace

PanelAxis linear_axis(double low, double high) {
  const Axis round = round_axis(low, high, 4);
  PanelAxis out{round.low, round.high, {}};
  for (const double tick : round.ticks) out.ticks.push_back({tick, round.label(tick)});
  return out;
}

PanelAxis percent_axis(double low, double high, double least) {
  if (!(high >= low)) low = high = 50;  // no number at all
  const double missing = std::max(0.0, least - (high - low)) / 2;
  low -= missing;
  high += missing;
  if (high > 100) {
    low = std::max(0.0, low - (high - 100));
    high = 100;
  }
  if (low < 0) {
    high = std::min(100.0, high - low);
    low = 0;
  }
  PanelAxis out{low, high, {}};
  for (int count = 4; count <= 8 && out.ticks.size() < 3; ++count) {
    const Axis round = round_axis(low, high, count);
    out.ticks.clear();
    for (const double tick : round.ticks) {
      if (tick >= low - 1e-9 && tick <= high + 1e-9) out.ticks.push_back({tick, round.label(tick)});
    }
  }
  return out;
}

PanelAxis log_axis(double low, double high) {
  PanelAxis out{low, high > low ? high : low + 1, {}};
  const int span = static_cast<int>(std::floor(out.high) - std::ceil(out.low));
  const int step = std::max(1, (span + 4) / 5);
  for (int k = static_cast<int>(std::ceil(out.low - 1e-9)); k <= out.high + 1e-9; ++k) {
    if (((k % step) + step) % step == 0) out.ticks.push_back({static_cast<double>(k), power_of_ten(k)});
  }
  return out;
}

std::string to_svg(const CurvePanels& figure) {
  const int count = static_cast<int>(figure.panels.size()),
            columns = std::max(1, std::min(figure.columns, count));
  const int rows = (count + columns - 1) / columns;
  const bool own_x = std::any_of(figure.panels.begin(), figure.panels.end(),
                                 [](const CurvePanel& panel) { return !panel.x_label.empty(); });
  const bool own_y = std::any_of(figure.panels.begin(), figure.panels.end(),
                                 [](const CurvePanel& panel) { return !panel.y_label.empty(); });
  const double left = margin + (figure.y_label.empty() ? 0 : label_room);
  const double pitch_x = tick_room + (own_y ? own_label_room : 0) + figure.width + 8;
  const double pitch_y = title_room + figure.height + below + (own_x ? own_label_room : 0);
  const double width = left + columns * pitch_x + margin;
  const double height = margin + rows * pitch_y + (figure.x_label.empty() ? 0 : label_room);
  SvgDocument svg(width, height, figure.title);
  for (int k = 0; k < count; ++k) {
    const auto& panel = figure.panels[static_cast<std::size_t>(k)];
    const Frame frame{panel, left + (k % columns) * pitch_x + tick_room + (own_y ? own_label_room : 0),
                      margin + (k / columns) * pitch_y + title_room, figure.width, figure.height};
    draw_axes(svg, frame);
    for (const auto& curve : panel.curves) draw_curve(svg, frame, curve);
  }
  svg.text(left + tick_room + (columns * pitch_x - tick_room) / 2, height - 10, figure.x_label,
           {11.5, "middle", ink});
  if (!figure.y_label.empty())
    svg.text(margin + 10, margin + rows * pitch_y / 2, figure.y_label, {11.5, "middle", ink, false, true});
  return std::move(svg).finish();
}

}  // namespace gdkm
