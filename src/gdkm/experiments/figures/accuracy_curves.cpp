#include "gdkm/experiments/figures/accuracy_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gdkm/experiments/drawing/chart_panels.hpp"
#include "gdkm/experiments/drawing/html_page.hpp"
#include "gdkm/experiments/figures/option_curves.hpp"
#include "gdkm/experiments/tables/paper_numbers.hpp"
#include "gdkm/support/option_mention.hpp"

namespace gdkm {

namespace {

/// Positions of ν: decimal logarithms, with 0 and ∞ a little beyond the ends.
class NuScale {
 public:
  explicit NuScale(const std::vector<OptionCurves>& curves) {
    for (const auto& dataset : curves) {
      for (const auto& score : dataset.lines[dataset.best].scores) {
        if (score.value > 0 && std::isfinite(score.value)) {
          low_ = std::min(low_, std::log10(score.value));
          high_ = std::max(high_, std::log10(score.value));
        }
        zero_ = zero_ || score.value == 0;
        infinite_ = infinite_ || std::isinf(score.value);
      }
    }
    if (!(low_ <= high_)) low_ = high_ = 0;
  }

  double at(double nu) const {
    if (nu == 0) return low_ - beyond;
    return std::isinf(nu) ? high_ + beyond : std::log10(nu);
  }
  Axis axis() const {
    Axis out{low_ - (zero_ ? beyond : 0) - 0.3, high_ + (infinite_ ? beyond : 0) + 0.3, {}};
    const int every = high_ - low_ > 3 ? 2 : 1, first = static_cast<int>(std::ceil(low_ - 1e-9));
    for (int k = first; k <= high_ + 1e-9; ++k)
      out.ticks.push_back({static_cast<double>(k), k % every == 0 ? power_of_ten(k) : ""});
    if (zero_) out.ticks.push_back({at(0), "0"});
    if (infinite_) out.ticks.push_back({at(INFINITY), "∞"});
    return out;
  }

 private:
  static constexpr double beyond = 1.2;
  double low_ = INFINITY, high_ = -INFINITY;
  bool zero_ = false, infinite_ = false;
};

LineChart panel_of(const OptionCurves& dataset, const Axis& x_axis) {
  LineChart out;
  const auto& line = dataset.lines[dataset.best];
  out.title = escape_html(display_name(dataset.facts.name));
  const std::string h =
      std::isnan(dataset.facts.homophily) ? "" : fmt::format("h = {:.2f}", dataset.facts.homophily);
  out.subtitle = h + (line.name.empty() ? "" : (h.empty() ? "" : ", ") + escape_html(line.name) + "-domain");
  out.x_axis = x_axis;
  double low = INFINITY, high = -INFINITY;
  for (const auto& score : line.scores) {
    low = std::min(low, score.val.mean - score.val.std);
    high = std::max(high, score.val.mean + score.val.std);
  }
  for (const FixedKernel& kernel : dataset.fixed) {
    low = std::min(low, kernel.val.mean - kernel.val.std);
    high = std::max(high, kernel.val.mean + kernel.val.std);
  }
  constexpr double least_span = 8;  // as in the paper, so that panels can be compared
  const double room = 0.06 * std::max(high - low, least_span);
  out.y_axis = percent_axis(low - room, high + room, least_span);
  return out;
}

/// A horizontal line, from one end of the axis to the other.
ChartSeries line_of(const FixedKernel& kernel, const Axis& axis) {
  ChartSeries out{name_of(kernel.kind), kernel.style(), true, false, {}};
  for (const double x : {axis.low, axis.high}) out.points.push_back({x, kernel.val.mean, kernel.val.std});
  return out;
}

Figure figure_of(ChartPanels panels, const std::string& name, const std::vector<OptionCurves>& curves,
                 const std::string& option) {
  Figure out;
  out.pictures = {{name, to_svg(panels)}};
  out.numbers = {{name, to_table(curves, option, "scheme")}};
  out.summary = to_text(curves, option);
  return out;
}

}  // namespace

Figure nu_curve_figure(const Store& store, const std::vector<std::string>& sweeps) {
  const auto curves =
      option_curves(store, "nu", "scheme",
                    "gdkm sweep experiments/nu-curve.toml with " + option("store", store.name()), sweeps);
  const NuScale scale(curves);
  ChartPanels panels;
  panels.title = "Validation accuracy against nu";
  panels.x_label = "regularisation ν";
  panels.y_label = "validation accuracy, %";
  std::map<int, ChartSeries> legend;
  for (const auto& dataset : curves) {
    LineChart panel = panel_of(dataset, scale.axis());
    ChartSeries curve;
    bool after_zero = false;
    for (const auto& score : dataset.lines[dataset.best].scores) {
      const bool apart = after_zero || std::isinf(score.value);
      curve.points.push_back({scale.at(score.value), score.val.mean, score.val.std, apart});
      after_zero = score.value == 0;
    }
    panel.series.push_back(std::move(curve));
    for (const FixedKernel& kernel : dataset.fixed) {
      ChartSeries line = line_of(kernel, panel.x_axis);
      legend.emplace(line.style, line);
      line.name.clear();  // the legend has it
      panel.series.push_back(std::move(line));
    }
    panels.panels.push_back(std::move(panel));
  }
  if (!legend.empty()) panels.legend.push_back({"DKM, learned kernel", 0, false, true, {}});
  for (const auto& [style, line] : legend) panels.legend.push_back(line);
  return figure_of(std::move(panels), "nu-curve", curves, "nu");
}

Figure depth_figure(const Store& store, const std::vector<std::string>& sweeps) {
  const auto curves =
      option_curves(store, "layers", "scheme",
                    "gdkm sweep experiments/depth.toml with " + option("store", store.name()), sweeps);
  std::set<double> depths;
  for (const auto& dataset : curves) {
    for (const auto& score : dataset.lines[dataset.best].scores) depths.insert(score.value);
  }
  Axis axis{*depths.begin() - 0.4, *depths.rbegin() + 0.4, {}};
  for (const double depth : depths) axis.ticks.push_back({depth, fmt::format("{:g}", depth)});
  ChartPanels panels;
  panels.title = "Validation accuracy against depth";
  panels.x_label = "layers";
  panels.y_label = "validation accuracy, %";
  for (const auto& dataset : curves) {
    LineChart panel = panel_of(dataset, axis);
    ChartSeries curve;
    for (const auto& score : dataset.lines[dataset.best].scores)
      curve.points.push_back({score.value, score.val.mean, score.val.std, false});
    panel.series.push_back(std::move(curve));
    panels.panels.push_back(std::move(panel));
  }
  return figure_of(std::move(panels), "depth", curves, "layers");
}

}  // namespace gdkm
