#include "gdkm/data/formats/shared/xml_file.hpp"

#include <algorithm>

namespace gdkm {

XmlFile::XmlFile(const Text& text) : text_(text) {
  const auto result = document_.load_buffer(text_.bytes.data(), text_.bytes.size());
  if (!result) {
    refuse("{}: line {}: is not well-formed XML ({}); export the graph again", text_.where,
           line_of(result.offset), result.description());
  }
}

std::ptrdiff_t XmlFile::line_of(std::ptrdiff_t offset) const {
  const auto size = static_cast<std::ptrdiff_t>(text_.bytes.size());
  return 1 + std::count(text_.bytes.begin(),
                        text_.bytes.begin() + std::clamp<std::ptrdiff_t>(offset, 0, size), '\n');
}

std::string_view trimmed_xml(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace gdkm
