#pragma once

#include "gdkm/experiments/report/report_json.hpp"

namespace gdkm {

/// Reads a store and works out what its report shows, which includes training runs again for their kernels.
/// Returns nothing if it was interrupted.
std::optional<ReportContent> report_content(const Store& store, const ReportKernelOptions& kernels);

/// The report as one self-contained HTML file, with its data as JSON and the script that draws it.
std::string study_report(const ReportContent& content, const Store& store);

}  // namespace gdkm
