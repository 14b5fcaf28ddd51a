#include "gdkm/experiments/demo/demo_report.hpp"

#include <fmt/format.h>

#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/text_table.hpp"

namespace gdkm {

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
  out += "\n" + findings.headline + "\n\n";
  for (const auto& text : {findings.detail, findings.kernels, findings.boards})
    out += wrapped(text, 84) + "\n";
  return out;
}

}  // namespace gdkm
