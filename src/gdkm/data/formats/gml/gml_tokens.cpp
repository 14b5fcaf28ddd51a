#include "gdkm/data/formats/gml/gml_tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "gdkm/data/formats/shared/text_field.hpp"

namespace gdkm {
namespace {

/// Appends a character as UTF-8.
void append(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

/// Resolves the entity at the front of `text`, which begins with '&': what it stands for and its length, or
/// nothing.
std::size_t take_entity(std::string_view text, std::string& out) {
  using Entity = std::pair<const char*, char>;
  static constexpr std::array<Entity, 5> known{
      {{"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}}};
  for (const auto& [name, character] : known) {
    if (!text.starts_with(name)) continue;
    out += character;
    return std::string_view(name).size();
  }
  if (!text.starts_with("&#")) return 0;
  const auto end = text.substr(0, 12).find(';');
  if (end == std::string_view::npos) return 0;
  unsigned code = 0;
  const bool is_hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const char* first = text.data() + (is_hex ? 3 : 2);
  const auto [stop, error] = std::from_chars(first, text.data() + end, code, is_hex ? 16 : 10);
  if (error != std::errc{} || stop != text.data() + end || code == 0 || code > 0x10FFFF) return 0;
  append(out, code);
  return end + 1;
}

bool ends_word(char c) {
  return std::string_view(" \t\r\n[]\"").find(c) != std::string_view::npos;
}

}  // namespace

GmlTokens::GmlTokens(const Text& text) : text_(text), rest_(text.bytes) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

GmlTokens::Kind GmlTokens::next() {
  value_.clear();
  for (bool starts_line = rest_.data() == text_.bytes.data(); !rest_.empty(); rest_.remove_prefix(1)) {
    const char c = rest_.front();
    if (c == '\n') {
      ++line_;
      starts_line = true;
    } else if (c == '#' && starts_line) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size() - 1));
      if (rest_.front() == '\n') ++line_;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      break;
    }
  }
  if (rest_.empty()) return kind_ = Kind::end;
  const char c = rest_.front();
  if (c == '[' || c == ']') {
    rest_.remove_prefix(1);
    return kind_ = c == '[' ? Kind::open : Kind::close;
  }
  if (c == '"') {
    take_text();
    return kind_ = Kind::text;
  }
  std::size_t size = 0;
  while (size < rest_.size() && !ends_word(rest_[size])) ++size;
  value_ = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return kind_ = to_double(value_) ? Kind::number : Kind::word;
}

void GmlTokens::take_text() {
  const auto end = rest_.find('"', 1);
  if (end == std::string_view::npos) fail("a quotation mark is never closed; close it, or write &quot;");
  for (std::size_t k = 1; k < end;) {
    const std::size_t entity = rest_[k] == '&' ? take_entity(rest_.substr(k, end - k), value_) : 0;
    if (entity == 0) value_ += rest_[k];
    k += std::max<std::size_t>(entity, 1);
  }
  line_ += std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  rest_.remove_prefix(end + 1);
}

std::string GmlTokens::shown() const {
  switch (kind_) {
    case Kind::open:
      return "'['";
    case Kind::close:
      return "']'";
    case Kind::end:
      return "the end of the file";
    default:
      return show_field(value_);
  }
}

void GmlTokens::skip_list() {
  for (std::int64_t depth = 1; depth > 0;) {
    const Kind kind = next();
    if (kind == Kind::end) fail("a list is never closed; add ]");
    if (kind == Kind::open) ++depth;
    if (kind == Kind::close) --depth;
  }
}

}  // namespace gdkm
