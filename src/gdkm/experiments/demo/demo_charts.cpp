#include "gdkm/experiments/demo/demo_charts.hpp"

#include <fmt/format.h>

#include "gdkm/experiments/drawing/chart_panels.hpp"
#include "gdkm/experiments/nu_name.hpp"

namespace gdkm {

namespace {

/// A chart over homophily: `point(row, ν)` is a mean and the spread of its band, from ν number `first` on.
template <class Point>
LineChart over_homophily(const DemoPlan& plan, std::size_t first, Point point) {
  LineChart out;
  out.x_label = "homophily: share of edges within a class";
  out.names = LineChart::Names::left;  // the lines differ most at low homophily
  out.value_decimals = 1;
  for (std::size_t k = first; k < plan.nu.size(); ++k) {
    ChartSeries line{k == 0 ? "NNGP" : "ν = " + nu_name(plan.nu[k]), static_cast<int>(k), k == 0, true, {}};
    if (k < 2) line.style = 1 - line.style;  // the NNGP has the colour of references
    for (std::size_t row = 0; row < plan.homophily.size(); ++row) {
      const auto [mean, spread] = point(row, k);
      line.points.push_back({plan.homophily[row], mean, spread});
    }
    out.series.push_back(std::move(line));
  }
  return out;
}

std::string element(const std::string& title, const LineChart& chart) {
  return to_svg({title, "", "", {chart}, 1, 320, 200}, SvgDocument::Use::page);
}

}  // namespace

std::string accuracy_chart(const DemoPlan& plan, const DemoResults& results) {
  LineChart out = over_homophily(plan, 0, [&](std::size_t row, std::size_t k) {
    const Summary accuracy = results.graphs[row][k].accuracy();
    return std::pair(accuracy.mean, accuracy.std);
  });
  out.y_label = "test accuracy, %";
  out.mark = {1.0 / static_cast<double>(plan.classes), fmt::format("1/{}: edges say nothing", plan.classes)};
  out.fit_axes(0, 100);
  return element("Test accuracy against homophily, one line per ν", out);
}

std::string gain_chart(const DemoPlan& plan, const DemoResults& results) {
  LineChart out = over_homophily(plan, 1, [&](std::size_t row, std::size_t k) {
    const Summary gain = mean_and_std(results.gains(row, k));
    return std::pair(gain.mean, standard_error(gain));
  });
  out.y_label = "gain over the NNGP, points";
  out.baseline = 0;
  out.fit_axes();
  return element("Gain in test accuracy over the NNGP against homophily, one line per finite ν", out);
}

std::string alignment_chart(const DemoPlan& plan, const DemoResults& results) {
  LineChart out = over_homophily(plan, 0, [&](std::size_t row, std::size_t k) {
    const Summary cka = results.graphs[row][k].alignment();
    return std::pair(cka.mean, cka.std);
  });
  out.y_label = "CKA with the label kernel";
  out.value_decimals = 3;
  out.fit_axes(0, 1);
  return element("CKA of the last kernel with the labels against homophily, one line per ν", out);
}

}  // namespace gdkm
