#include "gdkm/experiments/figures/kernel_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/drawing/heat_map.hpp"
#include "gdkm/experiments/drawing/html_page.hpp"
#include "gdkm/experiments/drawing/svg_document.hpp"

namespace gdkm {

namespace {

constexpr double side = 118, gap = 12, caption_height = 17, row_gap = 10, margin = 8;
constexpr double title_height = 20, row_name_width = 20, bar_room = 52;

double low_end(const KernelGrid& grid) {
  double least = 0;
  for (const auto& row : grid.cells) {
    for (const auto& cell : row) {
      if (!cell) continue;
      for (const double value : cell->picture.cosine) least = std::min(least, value);
    }
  }
  return least < -0.02 ? -1 : 0;
}

/// Ticks at the picture's edge where one class ends and the next begins.
void mark_classes(SvgDocument& svg, const std::vector<std::int32_t>& labels, double x, double y) {
  const auto n = static_cast<double>(labels.size());
  for (std::size_t k = 1; k < labels.size(); ++k) {
    if (labels[k] == labels[k - 1]) continue;
    const double at = static_cast<double>(k) / n * side;
    svg.line(x - 4, y + at, x - 0.5, y + at, {colours::soft, 0.8});
    svg.line(x + at, y - 4, x + at, y - 0.5, {colours::soft, 0.8});
  }
}

}  // namespace

KernelPicture picture_of_kernel(const Dense& kernel) {
  KernelPicture out{kernel.rows, {}};
  out.cosine.reserve(kernel.value.size());
  for (Index r = 0; r < kernel.rows; ++r) {
    for (Index c = 0; c < kernel.cols; ++c) {
      const double scale = std::sqrt(kernel(r, r) * kernel(c, c));
      out.cosine.push_back(scale > 0 ? std::clamp(kernel(r, c) / scale, -1.0, 1.0) : 0);
    }
  }
  return out;
}

std::string to_svg(const KernelGrid& grid) {
  const double low = low_end(grid);
  const auto columns = static_cast<double>(grid.columns.size());
  std::vector<double> tops;  // of every row, and of what comes below
  const double left = margin + row_name_width, top = margin + title_height;
  tops.push_back(top);
  for (const auto& row : grid.cells) {
    const bool captions =
        std::any_of(row.begin(), row.end(), [](const auto& cell) { return cell && !cell->caption.empty(); });
    tops.push_back(tops.back() + side + row_gap + (captions ? caption_height : 0));
  }
  const double right = left + columns * (side + gap) - gap;
  SvgDocument svg(SvgDocument::Use::file, right + bar_room + margin, tops.back() - row_gap + margin,
                  grid.title);
  for (std::size_t c = 0; c < grid.columns.size(); ++c) {
    svg.text(left + static_cast<double>(c) * (side + gap) + side / 2, top - 9, grid.columns[c],
             {11.5, "middle", colours::ink});
  }
  for (std::size_t r = 0; r < grid.cells.size(); ++r) {
    const double y = tops[r];
    svg.text(margin + 9, y + side / 2, grid.rows[r], {11.5, "middle", colours::ink, false, true});
    for (std::size_t c = 0; c < grid.cells[r].size(); ++c) {
      const auto& cell = grid.cells[r][c];
      if (!cell) continue;
      const double x = left + static_cast<double>(c) * (side + gap);
      svg.image(x, y, side, side, heat_map(cell->picture.cosine, low, 240));
      svg.stroke(fmt::format("M{0:.1f} {1:.1f}h{2}v{2}h-{2}z", x, y, side), {colours::soft, 0.5});
      mark_classes(svg, grid.labels[r], x, y);
      if (!cell->caption.empty())
        svg.text(x + side / 2, y + side + 13, escape_html(cell->caption), {10.5, "middle", colours::ink});
    }
  }
  svg.text(right + 16, top - 9, "cosine", {10.5, "start", colours::ink});
  const double rows = static_cast<double>(grid.cells.size());
  draw_colour_bar(svg, right + 16, top, std::min(rows * side, 2 * side + row_gap), low);
  return std::move(svg).finish();
}

ExportTable to_table(const KernelGrid& grid) {
  ExportTable out;
  const bool named =
      std::any_of(grid.names.begin(), grid.names.end(), [](const auto& n) { return !n.empty(); });
  out.columns = {{"kernel"}, {"node"}};
  if (named) out.columns.push_back({"name"});
  out.columns.push_back({"class"});
  Index most = 0;
  for (const auto& row : grid.cells) {
    for (const auto& cell : row) most = cell ? std::max(most, cell->picture.size) : most;
  }
  for (Index c = 0; c < most; ++c) out.columns.push_back({fmt::format("c{}", c)});
  for (std::size_t row = 0; row < grid.cells.size(); ++row) {
    for (const auto& cell : grid.cells[row]) {
      if (!cell) continue;
      for (Index r = 0; r < cell->picture.size; ++r) {
        const auto at = static_cast<std::size_t>(r);
        std::vector<nlohmann::json> line{cell->name};
        line.emplace_back(row < grid.nodes.size() && !grid.nodes[row].empty() ? Index{grid.nodes[row][at]}
                                                                              : r);
        if (named) line.emplace_back(grid.names[row].empty() ? "" : grid.names[row][at]);
        line.emplace_back(grid.labels[row][at]);
        for (Index c = 0; c < cell->picture.size; ++c) {
          const double value = cell->picture.cosine[static_cast<std::size_t>(r * cell->picture.size + c)];
          line.emplace_back(std::round(value * 1e4) / 1e4);
        }
        line.resize(out.columns.size());  // smaller kernels have no values in the last columns
        out.add(std::move(line));
      }
    }
  }
  return out;
}

}  // namespace gdkm
