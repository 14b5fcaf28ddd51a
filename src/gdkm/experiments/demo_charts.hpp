#pragma once

#include "gdkm/experiments/demo_results.hpp"
#include "gdkm/experiments/line_chart.hpp"

namespace gdkm {

/// Test accuracy against homophily, a line per ν; bands are one standard deviation over graphs.
LineChart accuracy_chart(const DemoPlan& plan, const DemoResults& results);
/// Accuracy of each finite ν less that of the NNGP, graph by graph; bands are one standard error.
LineChart gain_chart(const DemoPlan& plan, const DemoResults& results);
/// CKA of the last kernel with the labels; bands are one standard deviation over graphs.
LineChart alignment_chart(const DemoPlan& plan, const DemoResults& results);

}  // namespace gdkm
