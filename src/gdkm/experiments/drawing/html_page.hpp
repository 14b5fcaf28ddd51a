#pragma once

#include <string>
#include <string_view>

namespace gdkm {

/// A whole HTML document around `body`, with the style sheet of all pages: it can be read in light and dark,
/// on a phone and on paper, and fetches nothing. `title` is plain text.
std::string html_page(std::string_view title, std::string_view body);

/// `text` as the content of an element or of a quoted attribute.
std::string escape_html(std::string_view text);

}  // namespace gdkm
