#pragma once

#include "gdkm/experiments/report/report_json.hpp"

namespace gdkm {

/// Reads a store and works out what its report shows; kernels are trained on the way. Nothing where it was
/// interrupted.
std::optional<ReportContent> report_content(const Store& store, const ReportKernelOptions& kernels);

/// The report as one HTML file that needs nothing else: its data stands in it as JSON, and a script of its
/// own draws it.
std::string study_report(const ReportContent& content, const Store& store);

}  // namespace gdkm
