#include "gdkm/experiments/demo/demo_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/drawing/chart_panels.hpp"
#include "gdkm/experiments/drawing/heat_map.hpp"
#include "gdkm/experiments/drawing/html_page.hpp"
#include "gdkm/experiments/drawing/page_files.hpp"
#include "gdkm/experiments/number_text.hpp"
#include "gdkm/support/version.hpp"

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

/// Test accuracy against homophily, a line per ν; bands are one standard deviation over graphs.
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

/// Accuracy of each finite ν minus that of the NNGP, graph by graph; bands are one standard error.
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

/// CKA of the last kernel with the labels; bands are one standard deviation over graphs.
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

/// The row's highest mean as the table shows it, so that equal ones are all marked.
std::string best_of(const std::vector<DemoCell>& row) {
  double best = 0;
  for (const DemoCell& cell : row) best = std::max(best, cell.accuracy().mean);
  return fmt::format("{:.1f}", best);
}

std::string accuracy_table(const DemoPlan& plan, const DemoResults& results) {
  std::string out = "<div class='scroll'><table><thead><tr><th>homophily</th>";
  for (const double nu : plan.nu) {
    out += std::isinf(nu) ? "<th>NNGP</th>" : fmt::format("<th>ν = {}</th>", nu_name(nu));
  }
  out += "</tr></thead><tbody>\n";
  for (const auto& row : results.graphs) {
    out += fmt::format("<tr><td>{:.2f}</td>", row[0].homophily);
    const std::string best = best_of(row);
    for (const DemoCell& cell : row) {
      const std::string text = mean_and_std_text(cell.accuracy(), 1);
      out += fmt::format("<td{}>{}</td>", text.starts_with(best + " ") ? " class='best'" : "", text);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string board_table(const DemoResults& results) {
  std::string out =
      "<div class='scroll'><table><thead><tr><th>model</th><th>accuracy, %</th><th>AUC</th><th>NLL</th>"
      "<th>ECE</th><th>CKA with labels</th></tr></thead><tbody>\n";
  for (const DemoCell& cell : results.boards) {
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       escape_html(model_name(cell.nu)), mean_and_std_text(cell.accuracy(), 1),
                       mean_and_std_text(cell.auc(), 3), mean_and_std_text(cell.of(&Metrics::nll), 3),
                       mean_and_std_text(cell.of(&Metrics::ece), 3), mean_and_std_text(cell.alignment(), 3));
  }
  return out + "</tbody></table></div>\n";
}

/// `below` is markup.
std::string kernel(const KernelPicture& picture, const std::string& name, const std::string& below) {
  return fmt::format(
      "<figure><img alt='{0} kernel, {2} nodes sorted by class' width='{2}' height='{2}' src='{1}'>"
      "<figcaption><b>{0}</b>{3}</figcaption></figure>\n",
      escape_html(name), heat_map(picture.cosine, -1), picture.size, below);
}

std::string kernels(const DemoPlan& plan, const DemoPictures& pictures) {
  std::string out =
      fmt::format("<h3>Homophily {:g}: {:.0f} % of the edges join nodes of the same class</h3>\n",
                  pictures.homophily, 100 * pictures.homophily);
  out += "<div class='kernels'>\n";
  for (std::size_t k = 0; k < plan.nu.size(); ++k) {
    out += kernel(pictures.by_nu[k], model_name(plan.nu[k]),
                  fmt::format("CKA {:.3f}<br>between classes {}", pictures.cka[k],
                              number_text(between_classes(pictures.by_nu[k], pictures.labels), 2)));
  }
  return out + kernel(pictures.labels, "Labels, YYᵀ", "what a perfect<br>kernel shows") + "</div>\n";
}

}  // namespace

std::string demo_report(const DemoPlan& plan, const DemoResults& results, const DemoFindings& found) {
  const auto command = [&](const std::string& data, double nu) {
    return escape_html(plan.command(data, plan.settings(data, nu, 0)));
  };
  std::string pictures;
  for (const DemoPictures& row : results.pictures) pictures += kernels(plan, row);
  using fmt::arg;
  return html_page(
      "gdkm demo",
      fmt::format(
          fmt::runtime(page_files::demo), arg("headline", escape_html(found.headline)),
          arg("detail", escape_html(found.detail)), arg("kernel_finding", escape_html(found.kernels)),
          arg("board_finding", escape_html(found.boards)),
          arg("accuracy_chart", accuracy_chart(plan, results)), arg("gain_chart", gain_chart(plan, results)),
          arg("alignment_chart", alignment_chart(plan, results)), arg("kernels", pictures),
          arg("accuracy_table", accuracy_table(plan, results)), arg("board_table", board_table(results)),
          arg("pictured", results.pictures.empty() ? 0 : results.pictures[0].labels.size),
          arg("graph_command", command(plan.graph(plan.homophily[0], 0), plan.nu[found.nu])),
          arg("board_command", command(plan.minesweeper(0), plan.nu[found.board_nu])),
          arg("graphs", plan.graphs), arg("boards", plan.boards), arg("nodes", plan.nodes),
          arg("classes", plan.classes), arg("degree", plan.degree), arg("features", plan.features),
          arg("signal", plan.signal), arg("inducing", plan.inducing), arg("epochs", plan.epochs),
          arg("rate", plan.rate), arg("board", plan.board), arg("board_lambda", plan.board_lambda),
          arg("seed", plan.seed), arg("next_seed", plan.seed + static_cast<std::uint64_t>(plan.graphs)),
          arg("runs", plan.total_epochs() / plan.epochs), arg("seconds", results.seconds),
          arg("version", version), arg("commit", git_commit)));
}

}  // namespace gdkm
