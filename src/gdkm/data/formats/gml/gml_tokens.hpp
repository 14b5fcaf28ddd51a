#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "gdkm/support/refuse.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// The words, numbers, texts and brackets of a GML file, one after another. Lines that begin with '#' are
/// comments.
class GmlTokens {
 public:
  enum class Kind { word, number, text, open, close, end };

  explicit GmlTokens(const Text& text);

  /// Goes to the next token.
  Kind next();
  Kind kind() const { return kind_; }
  /// Its text: without quotation marks, and with &quot; and the like resolved.
  const std::string& value() const { return value_; }
  std::int64_t line() const { return line_; }
  std::string shown() const;

  /// Skips the list that has just been opened.
  void skip_list();

  template <class... T>
  [[noreturn]] void fail(fmt::format_string<T...> what, T&&... values) const {
    refuse("{}: line {}: {}", text_.where, line_, fmt::format(what, std::forward<T>(values)...));
  }

 private:
  void take_text();

  const Text& text_;
  std::string_view rest_;
  std::int64_t line_ = 1;
  Kind kind_ = Kind::end;
  std::string value_;
};

}  // namespace gdkm
