#pragma once

#include <string>
#include <string_view>

#include "gdkm/experiments/report/report_json.hpp"

namespace gdkm {

/// CSS of the report, after that of html_page.
std::string report_style();

/// Its sections, with the data and the script that draws it.
std::string report_body(const ReportContent& content, std::string_view data);

}  // namespace gdkm
