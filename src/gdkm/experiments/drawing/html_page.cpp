#include "gdkm/experiments/drawing/html_page.hpp"

#include <fmt/format.h>

#include "gdkm/experiments/drawing/colours.hpp"
#include "gdkm/experiments/drawing/page_files.hpp"

namespace gdkm {

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{}{}</style>\n</head>\n"
      "<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      escape_html(title), colours::css(), page_files::style, body);
}

std::string escape_html(std::string_view text) {
  constexpr std::string_view signs = "&<>\"'", entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string out;
  for (const char c : text) {
    const auto sign = signs.find(c);
    out += sign == signs.npos ? std::string_view(&c, 1) : entities[sign];
  }
  return out;
}

}  // namespace gdkm
