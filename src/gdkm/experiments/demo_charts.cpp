#include "gdkm/experiments/demo_charts.hpp"

#include <fmt/format.h>

#include "gdkm/experiments/nu_name.hpp"

namespace gdkm {

namespace {

/// A chart over homophily: `point(row, ν)` is a mean and what its band spans, from ν number `first` on.
template <class Point>
LineChart over_homophily(const DemoPlan& plan, std::size_t first, Point point) {
  LineChart out;
  out.x_label = "homophily: share of edges that join equal classes";
  out.names = LineChart::Names::left;  // lines part where neighbours differ
  for (std::size_t k = first; k < plan.nu.size(); ++k) {
    ChartSeries series{k == 0 ? "NNGP" : "ν = " + nu_name(plan.nu[k]), static_cast<int>(k), {}};
    for (std::size_t row = 0; row < plan.homophily.size(); ++row) {
      const auto [mean, spread] = point(row, k);
      series.points.push_back({plan.homophily[row], mean, spread});
    }
    out.series.push_back(std::move(series));
  }
  return out;
}

}  // namespace

LineChart accuracy_chart(const DemoPlan& plan, const DemoResults& results) {
  LineChart out = over_homophily(plan, 0, [&](std::size_t row, std::size_t k) {
    const Summary accuracy = results.graphs[row][k].accuracy();
    return std::pair(accuracy.mean, accuracy.std);
  });
  out.title = "Test accuracy against homophily, one line per ν";
  out.y_label = "test accuracy, %";
  out.least = 0;
  out.most = 100;
  out.mark = {1.0 / static_cast<double>(plan.classes), fmt::format("1/{}: edges say nothing", plan.classes)};
  return out;
}

LineChart gain_chart(const DemoPlan& plan, const DemoResults& results) {
  LineChart out = over_homophily(plan, 1, [&](std::size_t row, std::size_t k) {
    const Summary gain = mean_and_std(results.gains(row, k));
    return std::pair(gain.mean, standard_error(gain));
  });
  out.title = "Gain in test accuracy over the NNGP against homophily, one line per finite ν";
  out.y_label = "gain over the NNGP, points";
  out.reference = 0;
  return out;
}

LineChart alignment_chart(const DemoPlan& plan, const DemoResults& results) {
  LineChart out = over_homophily(plan, 0, [&](std::size_t row, std::size_t k) {
    const Summary cka = results.graphs[row][k].alignment();
    return std::pair(cka.mean, cka.std);
  });
  out.title = "CKA of the last kernel with the labels against homophily, one line per ν";
  out.y_label = "CKA with the label kernel";
  out.least = 0;
  out.most = 1;
  out.value_decimals = 3;
  return out;
}

}  // namespace gdkm
