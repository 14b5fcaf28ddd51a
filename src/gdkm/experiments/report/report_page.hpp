#pragma once

#include <string>
#include <string_view>

#include "gdkm/experiments/report/report_json.hpp"

namespace gdkm {

/// The body of the report's page: its sections, the data as JSON, and the script that draws them.
std::string report_body(const ReportContent& content, std::string_view data);

}  // namespace gdkm
