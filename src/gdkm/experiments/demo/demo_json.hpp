#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gdkm/experiments/demo/demo_findings.hpp"

namespace gdkm {

/// Everything the demo measured, run by run: {"findings", "csbm": [{"homophily", "nu", "runs", "cka", …}],
/// "minesweeper": […]}.
nlohmann::ordered_json to_json(const DemoPlan& plan, const DemoResults& results,
                               const DemoFindings& findings);

}  // namespace gdkm
