#pragma once

#include <string>
#include <string_view>

namespace gdkm {

/// A whole HTML document around `body`: readable in light and dark, on a phone and on paper, with nothing to
/// fetch. `title` is plain text, `style` is CSS that comes after the page's own.
std::string html_page(std::string_view title, std::string_view style, std::string_view body);

}  // namespace gdkm
