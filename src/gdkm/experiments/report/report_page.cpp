#include "gdkm/experiments/report/report_page.hpp"

#include <fmt/format.h>

#include "gdkm/experiments/drawing/html_text.hpp"
#include "gdkm/experiments/drawing/page_files.hpp"

namespace gdkm {

namespace {

/// JSON may hold "</script>" in a text. Without '<' it cannot end the element.
std::string inside_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string report_body(const ReportContent& content, std::string_view data) {
  return fmt::format(
      "<p class='over'>gdkm report: {}</p>\n<h1>{}</h1>\n<p class='lead'>{}</p>\n"
      "<noscript><p>A script draws the rest of this page, and this browser does not run "
      "it.</p></noscript>\n{}"
      "<script type='application/json' id='report-data'>{}</script>\n"
      "<script>\n'use strict';\n(() => {{\n{}}})();\n</script>\n",
      escape_html(content.store), escape_html(content.story.headline), escape_html(content.story.detail),
      page_files::report, inside_script(data), page_files::report_script);
}

}  // namespace gdkm
