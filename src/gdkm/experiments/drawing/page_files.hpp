#pragma once

#include <string_view>

/// Files of pages, as the build has embedded them into the library (gdkm_embed in CMakeLists.txt): nothing is
/// read when a page is made.
namespace gdkm::page_files {

extern const std::string_view style;          // drawing/page.css
extern const std::string_view demo;           // demo/demo.html, with {names} for what fmt puts in
extern const std::string_view tune;           // tune/tune.html, the same
extern const std::string_view live;           // serve/live.html
extern const std::string_view live_style;     // serve/live.css
extern const std::string_view live_script;    // serve/live.js
extern const std::string_view report;         // report/page/report.html
extern const std::string_view report_script;  // report/page/*.js, joined

}  // namespace gdkm::page_files
