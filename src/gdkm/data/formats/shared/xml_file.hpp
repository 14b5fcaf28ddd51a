#pragma once

#include <fmt/format.h>

#include <pugixml.hpp>
#include <string_view>

#include "gdkm/support/refuse.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// An XML file in memory and its elements.
class XmlFile {
 public:
  /// An InputError names the line where the text is not well-formed.
  explicit XmlFile(const Text& text);

  const Text& text() const { return text_; }
  pugi::xml_node child(const char* name) const { return document_.child(name); }

  /// Throws an InputError that names the line of an element.
  template <class... T>
  [[noreturn]] void fail(const pugi::xml_node& at, fmt::format_string<T...> what, T&&... values) const {
    refuse("{}: line {}: {}", text_.where, line_of(at.offset_debug()),
           fmt::format(what, std::forward<T>(values)...));
  }

 private:
  std::ptrdiff_t line_of(std::ptrdiff_t offset) const;

  const Text& text_;
  pugi::xml_document document_;
};

/// `text` without white space around it.
std::string_view trimmed_xml(std::string_view text);

}  // namespace gdkm
