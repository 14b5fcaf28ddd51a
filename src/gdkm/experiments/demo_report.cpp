#include "gdkm/experiments/demo_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gdkm/experiments/demo_charts.hpp"
#include "gdkm/experiments/demo_table.hpp"
#include "gdkm/experiments/html_page.hpp"
#include "gdkm/experiments/html_text.hpp"
#include "gdkm/experiments/nu_name.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm {

namespace {

std::string style() {
  return chart_style() + R"css(
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
        gap: 1.5rem 2rem; margin: 1.2rem 0; }
.pair h3 { margin: 0 0 0.6rem; }
.kernels { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1rem;
           margin: 0.4rem 0 1rem; }
.kernels img { display: block; width: 100%; height: auto; image-rendering: pixelated;
               border: 1px solid var(--line); }
.kernels figcaption { color: var(--soft); margin-top: 0.35rem; line-height: 1.35; }
.kernels b { color: var(--ink); display: block; }
.bar { width: 12rem; height: 0.7rem; border: 1px solid var(--line); background: )css" +
         colour_bar_css() + R"css(; }
.pair td, .pair th { font-size: 0.85rem; padding-left: 0.7rem; }
.pair td:first-child, .pair th:first-child { padding-left: 0; }
.scale { display: flex; gap: 0.6rem; align-items: center; flex-wrap: wrap; margin: 0.6rem 0; }
)css";
}

std::string figure(const LineChart& chart, const std::string& title, const std::string& caption) {
  return fmt::format("<figure><h3>{}</h3>{}<figcaption>{}</figcaption></figure>\n", escape_html(title),
                     to_svg(chart), escape_html(caption));
}

/// The row's highest mean as the table shows it, so that equals are all marked.
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

std::string kernel(const KernelPicture& picture, const std::string& name,
                   const std::array<std::string, 2>& below) {
  return fmt::format(
      "<figure><img alt='{0} kernel, {2} nodes sorted by class' width='{2}' height='{2}' src='{1}'>"
      "<figcaption><b>{0}</b>{3}<br>{4}</figcaption></figure>\n",
      escape_html(name), data_uri(picture), picture.size, escape_html(below[0]), escape_html(below[1]));
}

std::string kernels(const DemoPlan& plan, const DemoPictures& pictures) {
  std::string out = fmt::format("<h3>Homophily {:g}: {:.0f} % of the edges join equal classes</h3>\n",
                                pictures.homophily, 100 * pictures.homophily);
  out += "<div class='kernels'>\n";
  for (std::size_t k = 0; k < plan.nu.size(); ++k) {
    out += kernel(pictures.by_nu[k], model_name(plan.nu[k]),
                  {fmt::format("CKA {:.3f}", pictures.cka[k]),
                   "between classes " + cosine_text(between_classes(pictures.by_nu[k], pictures.labels))});
  }
  out += kernel(pictures.labels, "Labels, YYᵀ", {"what a perfect", "kernel shows"});
  return out + "</div>\n";
}

std::string explanation(const DemoPlan& plan) {
  return fmt::format(
      "<h2>What is compared</h2>\n"
      "<p>An infinitely wide graph network is a Gaussian process whose kernel, the measure of how alike two "
      "nodes "
      "are, is fixed before it sees a label: the <b>NNGP</b>. A <b>deep kernel machine</b> (DKM) is an "
      "infinite "
      "network too, but its kernels are learned. One number, <b>ν</b>, says how firmly each layer is held to "
      "the fixed kernel: ν = ∞ <i>is</i> the NNGP, and the smaller ν, the freer the kernel.</p>\n"
      "<p>The graphs have {} nodes in {} classes and a mean degree of {}; half of the nodes train. A "
      "node’s "
      "features show its class, but a graph convolution first averages it with its neighbours, and does so "
      "twice. Where neighbours agree (homophily near 1) averaging removes noise. Where they differ (near 0) "
      "it "
      "blends in the wrong classes, and a good kernel has to pull the blend apart. All models see the same "
      "graphs, labels and seeds.</p>\n",
      plan.nodes, plan.classes, plan.degree);
}

std::string rerun(const DemoPlan& plan, const DemoResults& results, const DemoFindings& found) {
  const auto command = [&](const std::string& data, double nu) {
    return escape_html(plan.command(data, plan.settings(data, nu, 0)));
  };
  return fmt::format(
      "<h2>Do it again</h2>\n"
      "<p>The whole demo, with other graphs, and two of its runs:</p>\n"
      "<pre>gdkm demo --seed {}\n{}\n{}</pre>\n"
      "<p class='note'>Settings: 2 layers (mix, kernel, Gram, twice), arc-cosine kernel, inter-domain "
      "inducing "
      "points ({}, started by k-means), {} epochs of Adam at a peak rate of {:g}, float32. Graphs: {} per "
      "homophily, {} features, class means of length {} in unit noise. Minesweeper: {} boards of {}×{}, "
      "convolution λI + (1−λ)Â with λ = {:g}. Half of the nodes train, a quarter validate, a quarter test. "
      "First seed {}; {} runs in {:.0f} s; gdkm {} ({}).</p>\n"
      "<p class='note'>How far this carries: classes, degree, features, signal and λ were chosen, after "
      "trying others, "
      "so that the effect can be seen. On many other graphs of this generator the two models do equally well "
      "or the "
      "NNGP is ahead, and on Minesweeper the difference is absent at λ = 0.</p>\n",
      plan.seed + static_cast<std::uint64_t>(plan.graphs),
      command(plan.graph(plan.homophily[0], 0), plan.nu[found.nu]),
      command(plan.minesweeper(0), plan.nu[found.board_nu]), plan.inducing, plan.epochs, plan.rate,
      plan.graphs, plan.features, plan.signal, plan.boards, plan.board, plan.board, plan.board_lambda,
      plan.seed, plan.total_epochs() / plan.epochs, results.seconds, version, git_commit);
}

}  // namespace

std::string demo_report(const DemoPlan& plan, const DemoResults& results, const DemoFindings& found) {
  std::string body = "<p class='over'>Graph convolutional deep kernel machines: a demonstration</p>\n";
  body += fmt::format("<h1>{}</h1>\n<p class='lead'>{}</p>\n", escape_html(found.headline),
                      escape_html(found.detail));
  body += "<div class='pair'>\n";
  body += figure(accuracy_chart(plan, results), "Accuracy",
                 fmt::format("Mean over {} graphs; bands show one standard deviation.", plan.graphs));
  body += figure(gain_chart(plan, results), "What learning the kernel adds",
                 "Accuracy less the NNGP’s on the same graph; bands show one standard error.");
  body += "</div>\n" + explanation(plan);
  body += "<h2>What the kernel learns</h2>\n";
  body += fmt::format(
      "<p>{}</p>\n<p>Each picture is the kernel of the last layer on one graph: {} nodes by {}, sorted by "
      "class. "
      "Brown means alike, white unrelated, blue opposite. A kernel that knows the classes shows the blocks "
      "of "
      "the label kernel at the end. Two numbers say how far it has come: the mean cosine between nodes of "
      "different classes, which is near 1 where a kernel finds all nodes alike, and the CKA, its likeness to "
      "the label kernel over all nodes once what all nodes share is taken out.</p>\n",
      escape_html(found.kernels), results.pictures.empty() ? 0 : results.pictures[0].labels.size,
      results.pictures.empty() ? 0 : results.pictures[0].labels.size);
  body += "<div class='scale note'>−1 <span class='bar'></span> +1, as a cosine</div>\n";
  for (const DemoPictures& pictures : results.pictures) body += kernels(plan, pictures);
  body += "<div class='pair'>\n";
  body += figure(alignment_chart(plan, results), "Alignment with the labels",
                 fmt::format("Mean over {} graphs; bands show one standard deviation.", plan.graphs));
  body += fmt::format(
      "<figure><h3>Test accuracy, %</h3>{}<figcaption>Mean ± standard deviation over {} graphs; the "
      "highest mean of each row is bold.</figcaption></figure>\n</div>\n",
      accuracy_table(plan, results), plan.graphs);
  body += fmt::format(
      "<h2>Minesweeper</h2>\n<p>A grid in which one cell in five hides a mine and half of the cells "
      "show how many of their neighbours do. {}</p>\n{}<p class='note'>Mean ± standard deviation over "
      "{} boards, test cells. AUC: the chance that a mine is ranked above a free cell. NLL and ECE "
      "(calibration error): lower is better.</p>\n",
      escape_html(found.boards), board_table(results), plan.boards);
  body += rerun(plan, results, found);
  return html_page("gdkm demo", style(), body);
}

}  // namespace gdkm
