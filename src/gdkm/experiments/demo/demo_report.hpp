#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gdkm/experiments/demo/demo_findings.hpp"

namespace gdkm {

/// The demo as one self-contained HTML file.
std::string demo_report(const DemoPlan& plan, const DemoResults& results, const DemoFindings& findings);

/// Its numbers as lines for a terminal.
std::string demo_table(const DemoPlan& plan, const DemoResults& results, const DemoFindings& findings);

/// Everything it measured, run by run: {"findings", "csbm": [{"homophily", "nu", "runs", "cka", …}],
/// "minesweeper": […]}.
nlohmann::ordered_json to_json(const DemoPlan& plan, const DemoResults& results,
                               const DemoFindings& findings);

/// "86.7 ± 0.7": how tables, on the screen and in the report, write a summary.
std::string mean_and_std_text(const Summary& summary, int decimals);

}  // namespace gdkm
