#pragma once

#include <string_view>

namespace gdkm {

/// The page's script, in the order in which its parts stand in the page. Each is JavaScript inside one common
/// function; later parts use what earlier ones declare.
std::string_view script_of_basics();       // data, elements, texts
std::string_view script_of_charts();       // axes, lines, bands
std::string_view script_of_summary();      // tiles, gains, best settings, ν-curves
std::string_view script_of_kernels();      // pictures with their slider
std::string_view script_of_curves();       // learning curves
std::string_view script_of_calibration();  // reliability diagrams
std::string_view script_of_runs();         // the table of runs, failures

}  // namespace gdkm
