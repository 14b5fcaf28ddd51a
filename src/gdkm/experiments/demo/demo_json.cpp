#include "gdkm/experiments/demo/demo_report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "gdkm/experiments/number_text.hpp"
#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::ordered_json;

Json nu_json(double nu) {
  return std::isinf(nu) ? Json(nu_option(nu)) : Json(nu);
}

Json cell_json(const DemoPlan& plan, const DemoCell& cell, const std::string& first_graph) {
  Json out{{"nu", nu_json(cell.nu)},
           {"first_run", plan.command(first_graph, plan.settings(first_graph, cell.nu, 0))},
           {"runs", Json::array()},
           {"cka", cell.cka},
           {"test_accuracy_mean", cell.accuracy().mean},
           {"test_accuracy_std", cell.accuracy().std},
           {"cka_mean", cell.alignment().mean}};
  for (const RunResult& run : cell.runs) out["runs"].push_back(to_json(run));
  return out;
}

Json gain_json(double nu, const Summary& gain) {
  return {{"nu", nu_json(nu)}, {"mean", gain.mean}, {"standard_error", standard_error(gain)}};
}

}  // namespace

Json to_json(const DemoPlan& plan, const DemoResults& results, const DemoFindings& found) {
  Json out{{"version", version},
           {"seed", plan.seed},
           {"seconds", results.seconds},
           {"findings",
            {{"headline", found.headline},
             {"accuracy_gain_lowest_homophily", gain_json(plan.nu[found.nu], found.heterophilous)},
             {"accuracy_gain_highest_homophily", gain_json(plan.nu[found.nu], found.homophilous)},
             {"minesweeper_auc_gain", gain_json(plan.nu[found.board_nu], found.board_auc)}}},
           {"csbm", Json::array()},
           {"minesweeper", Json::array()}};
  for (const auto& row : results.graphs) {
    for (const DemoCell& cell : row) {
      Json entry{{"homophily", cell.homophily}};
      entry.update(cell_json(plan, cell, plan.graph(cell.homophily, 0)));
      out["csbm"].push_back(std::move(entry));
    }
  }
  for (const DemoCell& cell : results.boards) {
    out["minesweeper"].push_back(cell_json(plan, cell, plan.minesweeper(0)));
  }
  return out;
}

}  // namespace gdkm
