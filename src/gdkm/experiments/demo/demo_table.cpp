#include "gdkm/experiments/demo/demo_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/experiments/nu_name.hpp"

namespace gdkm {

namespace {

/// Text in lines of at most `columns` characters (of ASCII; others count a little more).
std::string wrapped(const std::string& text, std::size_t columns) {
  std::string out, line;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && line.size() + 1 + word.size() > columns) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return out + line + "\n";
}

}  // namespace

std::string mean_and_std_text(const Summary& summary, int decimals) {
  return fmt::format("{:.{}f} ± {:.{}f}", summary.mean, decimals, summary.std, decimals);
}

std::string demo_table(const DemoPlan& plan, const DemoResults& results, const DemoFindings& findings) {
  std::string out =
      fmt::format("Test accuracy in %, mean ± std over {} graphs of {} nodes in {} classes\n\n{:>10}",
                  plan.graphs, plan.nodes, plan.classes, "homophily");
  for (const double nu : plan.nu) out += fmt::format("{:>16}", model_name(nu));
  out += '\n';
  for (const auto& row : results.graphs) {
    out += fmt::format("{:>10.2f}", row[0].homophily);
    for (const DemoCell& cell : row) out += fmt::format("{:>16}", mean_and_std_text(cell.accuracy(), 1));
    out += '\n';
  }
  out += fmt::format(
      "\nMinesweeper, mean ± std over {0} boards of {1} × {1}\n\n{2:>16}{3:>16}{4:>18}{5:>18}{6:>18}\n",
      plan.boards, plan.board, "model", "accuracy %", "AUC", "NLL", "ECE");
  for (const DemoCell& cell : results.boards) {
    out += fmt::format("{:>16}{:>16}{:>18}{:>18}{:>18}\n", model_name(cell.nu),
                       mean_and_std_text(cell.accuracy(), 1), mean_and_std_text(cell.auc(), 3),
                       mean_and_std_text(cell.of(&Metrics::nll), 3),
                       mean_and_std_text(cell.of(&Metrics::ece), 3));
  }
  return out + "\n" + findings.headline + "\n\n" + wrapped(findings.detail, 84) +
         wrapped(findings.kernels, 84) + wrapped(findings.boards, 84);
}

}  // namespace gdkm
