#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/drawing/chart_panels.hpp"
#include "gdkm/experiments/figures/kernel_grid.hpp"
#include "gdkm/experiments/figures/linear_check.hpp"

namespace gdkm {

namespace {

/// "0.33 %"; what lies near rounding is not worth its digits.
std::string percent_text(double part) {
  return part < 1e-6 ? "less than 0.0001 %" : fmt::format("{:.2g} %", 100 * part);
}

KernelGrid grid_of(const LinearCheck& check) {
  const auto cell = [](const Dense& kernel, std::string name, std::string caption = "") {
    return std::optional(KernelGrid::Cell{picture_of_kernel(kernel), std::move(name), std::move(caption)});
  };
  const auto g = [](const char* before, int k) {
    return fmt::format("{}G<tspan dy='0.25em' font-size='75%'>{}</tspan>", before, k);
  };
  KernelGrid out;
  out.title = "Gram matrices of a linear graph DKM with two layers";
  out.columns = {g("input ", 0), g("", 1), g("", 2), g("labels ", 3)};
  out.rows = {"initial", "analytic", "trained"};
  out.labels.assign(3, check.label);
  const std::vector<Dense>* grams[] = {&check.initial, &check.analytic, &check.trained};
  for (std::size_t r = 0; r < 3; ++r) {
    std::vector<std::optional<KernelGrid::Cell>> row(4);
    for (std::size_t layer = 0; layer < 2; ++layer) {
      const std::string caption = r < 2 ? "" : "off by " + percent_text(check.distance[layer]);
      row[layer + 1] = cell((*grams[r])[layer], fmt::format("{} G{}", out.rows[r], layer + 1), caption);
    }
    if (r == 1) {
      row[0] = cell(check.input, "input G0");
      row[3] = cell(check.target, "labels G3");
    }
    out.cells.push_back(std::move(row));
  }
  return out;
}

/// Steps at about equal distances on a logarithmic axis: enough for a line.
std::vector<std::size_t> shown_steps(std::size_t count) {
  std::vector<std::size_t> out;
  for (double at = 1; at <= static_cast<double>(count); at = std::max(at * 1.02, at + 1))
    out.push_back(static_cast<std::size_t>(at) - 1);
  if (out.back() != count - 1) out.push_back(count - 1);
  return out;
}

ChartPanels loss_panels(const LinearCheck& check) {
  const auto [least, most] = std::minmax_element(check.loss.begin(), check.loss.end());
  const double low = std::min(*least, check.analytic_loss), high = std::max(*most, check.analytic_loss);
  const bool wide = low > 0 && high > 30 * low;  // then logarithms show more
  const auto height = [&](double loss) { return wide ? std::log10(loss) : loss; };
  ChartSeries loss, excess, analytic;
  loss.markers = excess.markers = false;
  double gap_low = INFINITY, gap_high = -INFINITY;
  for (const std::size_t k : shown_steps(check.loss.size())) {
    const double x = std::log10(static_cast<double>(k) + 1), gap = check.loss[k] - check.analytic_loss;
    loss.points.push_back({x, height(check.loss[k])});
    if (gap <= 1e-13 * check.analytic_loss) continue;  // equal but for rounding
    excess.points.push_back({x, std::log10(gap)});
    gap_low = std::min(gap_low, std::log10(gap));
    gap_high = std::max(gap_high, std::log10(gap));
  }
  const double last = std::log10(static_cast<double>(check.loss.size()));
  analytic.name = "analytic";
  analytic.style = 1;
  analytic.dashed = true;
  analytic.markers = false;
  analytic.points = {{0, height(check.analytic_loss)}, {last, height(check.analytic_loss)}};
  ChartPanels out;
  out.title = "Loss of a linear graph DKM while it is trained";
  out.columns = 2;
  out.width = 210;
  out.height = 150;
  LineChart whole, above;
  whole.title = "Loss";
  whole.subtitle = "sum of divergences, in nats";
  whole.y_axis = wide ? log_axis(std::floor(height(low)), std::ceil(height(high))) : round_axis(0, high, 4);
  whole.series = {analytic, loss};
  above.title = "Loss minus the analytic loss";
  above.subtitle = "in nats";
  above.y_axis = excess.points.empty() ? log_axis(-1, 0) : log_axis(std::floor(gap_low), std::ceil(gap_high));
  above.series = {excess};
  for (LineChart* panel : {&whole, &above}) {
    panel->x_label = "step";
    panel->x_axis = log_axis(0, last);
  }
  out.panels = {whole, above};
  return out;
}

}  // namespace

Figure linear_check_figure(const LinearCheck& check) {
  const KernelGrid grid = grid_of(check);
  Figure out;
  out.pictures = {{"linear-check", to_svg(grid)}, {"linear-check-loss", to_svg(loss_panels(check))}};
  ExportTable loss;
  loss.columns = {{"step"}, {"loss"}, {"analytic_loss"}};
  for (std::size_t k = 0; k < check.loss.size(); ++k) loss.add({k + 1, check.loss[k], check.analytic_loss});
  out.numbers = {{"linear-check", to_table(grid)}, {"linear-check-loss", std::move(loss)}};
  out.summary = fmt::format(
      "{} nodes of {}: trained and analytic Gram matrices differ by {} (G1) and {} (G2), in "
      "Frobenius norms\nloss {:.6f} after {} steps, analytic {:.6f}\n",
      check.label.size(), check.dataset, percent_text(check.distance[0]), percent_text(check.distance[1]),
      check.loss.back(), check.loss.size() - 1, check.analytic_loss);
  return out;
}

}  // namespace gdkm
