#pragma once

#include <string>

#include "gdkm/experiments/demo/demo_results.hpp"

namespace gdkm {

/// SVG elements for the demo's page.

/// Test accuracy against homophily, a line per ν; bands are one standard deviation over graphs.
std::string accuracy_chart(const DemoPlan& plan, const DemoResults& results);
/// Accuracy of each finite ν minus that of the NNGP, graph by graph; bands are one standard error.
std::string gain_chart(const DemoPlan& plan, const DemoResults& results);
/// CKA of the last kernel with the labels; bands are one standard deviation over graphs.
std::string alignment_chart(const DemoPlan& plan, const DemoResults& results);

}  // namespace gdkm
