#include "gdkm/experiments/drawing/chart_panels.hpp"

#include <algorithm>

namespace gdkm {

namespace {

constexpr double margin = 8, tick_room = 34, title_room = 32, below = 24, label_room = 22,
                 own_label_room = 18, legend_row = 15;

/// Where the entries of a legend stand, from the upper left corner: rows that are no wider than `width`.
std::vector<std::pair<double, double>> legend_places(const std::vector<ChartSeries>& legend, double width) {
  std::vector<std::pair<double, double>> out;
  double x = 0, y = 0;
  for (const ChartSeries& line : legend) {
    const double needed = legend_width(line);
    if (x > 0 && x + needed > width) {
      x = 0;
      y += legend_row;
    }
    out.emplace_back(x, y);
    x += needed;
  }
  return out;
}

}  // namespace

std::string to_svg(const ChartPanels& figure, SvgDocument::Use use) {
  const auto room_for = [&](std::string LineChart::*text, double room) {
    const auto has = [&](const LineChart& panel) { return !(panel.*text).empty(); };
    return std::any_of(figure.panels.begin(), figure.panels.end(), has) ? room : 0;
  };
  const int count = static_cast<int>(figure.panels.size()),
            columns = std::max(1, std::min(figure.columns, count)), rows = (count + columns - 1) / columns;
  const double left = margin + (figure.y_label.empty() ? 0 : label_room);
  const double before = tick_room + room_for(&LineChart::y_label, own_label_room),
               above = room_for(&LineChart::title, title_room);
  const double pitch_x = before + figure.width + 8,
               pitch_y = above + figure.height + below + room_for(&LineChart::x_label, own_label_room);
  const auto places = legend_places(figure.legend, columns * pitch_x);
  const double legend = places.empty() ? 0 : places.back().second + legend_row + 6;
  const double height = margin + rows * pitch_y + (figure.x_label.empty() ? 0 : label_room) + legend;
  SvgDocument svg(use, left + columns * pitch_x + margin, height, figure.title);
  for (int k = 0; k < count; ++k) {
    draw(svg, {figure.panels[static_cast<std::size_t>(k)], left + (k % columns) * pitch_x + before,
               margin + (k / columns) * pitch_y + above, figure.width, figure.height});
  }
  svg.text(left + tick_room + (columns * pitch_x - tick_room) / 2, height - 10 - legend, figure.x_label,
           {11.5, "middle", colours::ink});
  svg.text(margin + 10, margin + rows * pitch_y / 2, figure.y_label,
           {11.5, "middle", colours::ink, false, true});
  for (std::size_t k = 0; k < places.size(); ++k) {
    draw_legend_entry(svg, left + places[k].first, height - legend + places[k].second + 3, figure.legend[k]);
  }
  return std::move(svg).finish();
}

}  // namespace gdkm
