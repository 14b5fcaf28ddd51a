#pragma once

#include <string>

#include "gdkm/experiments/demo/demo_findings.hpp"

namespace gdkm {

/// "86.7 ± 0.7": how tables, on the screen and in the report, write a summary.
std::string mean_and_std_text(const Summary& summary, int decimals);

/// The demo's numbers as lines for a terminal.
std::string demo_table(const DemoPlan& plan, const DemoResults& results, const DemoFindings& findings);

}  // namespace gdkm
