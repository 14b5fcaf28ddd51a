#pragma once

#include <string_view>

namespace gdkm {

/// The page's script, in the order in which its parts stand in the page. Each is JavaScript inside one common
/// function; later parts use what earlier ones declare.
std::string_view script_of_basics();       // data, elements, texts
std::string_view script_of_charts();       // axes, lines, bands
std::string_view script_of_summary();      // the study at a glance, best settings
std::string_view script_of_nu();           // gains, curves against ν
std::string_view script_of_kernels();      // pictures with their slider
std::string_view script_of_curves();       // learning curves
std::string_view script_of_calibration();  // reliability diagrams
std::string_view script_of_runs();         // the table of runs
std::string_view script_of_failures();     // failures by message

}  // namespace gdkm
