#pragma once

#include <string>

#include "gdkm/experiments/demo/demo_findings.hpp"

namespace gdkm {

/// The demo as one self-contained HTML file.
std::string demo_report(const DemoPlan& plan, const DemoResults& results, const DemoFindings& findings);

}  // namespace gdkm
