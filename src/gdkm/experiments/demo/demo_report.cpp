#include "gdkm/experiments/demo/demo_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/demo/demo_charts.hpp"
#include "gdkm/experiments/demo/demo_table.hpp"
#include "gdkm/experiments/drawing/heat_map.hpp"
#include "gdkm/experiments/drawing/html_page.hpp"
#include "gdkm/experiments/drawing/html_text.hpp"
#include "gdkm/experiments/drawing/page_files.hpp"
#include "gdkm/experiments/nu_name.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm {

namespace {

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
                              cosine_text(between_classes(pictures.by_nu[k], pictures.labels))));
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
