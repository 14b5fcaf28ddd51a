#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace gdkm {

/// Appends a code point; what is none becomes U+FFFD.
inline void append_utf8(std::uint32_t code, std::string& out) {
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 63));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 63));
    put(0x80 | (code >> 6 & 63));
  }
  put(0x80 | (code & 63));
}

/// The code point at byte k, which moves on to the next one; a byte that is none stands for itself, as in
/// Latin-1.
inline std::uint32_t next_code_point(std::string_view text, std::size_t& k) {
  const auto byte = [&](std::size_t j) -> std::uint32_t { return static_cast<unsigned char>(text[j]); };
  const std::uint32_t lead = byte(k);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  bool whole = length > 0 && lead < 0xF5 && k + length <= text.size();
  std::uint32_t code = length < 2 ? lead : lead & (0x7Fu >> length);
  for (std::size_t j = 1; whole && j < length; ++j) {
    whole = (byte(k + j) & 0xC0) == 0x80;
    code = code << 6 | (byte(k + j) & 63);
  }
  k += whole ? length : 1;
  return whole ? code : lead;
}

/// Code points of UTF-8 text.
inline std::u32string from_utf8(std::string_view text) {
  std::u32string out;
  for (std::size_t k = 0; k < text.size();) out += static_cast<char32_t>(next_code_point(text, k));
  return out;
}

/// Text that may be Latin-1, or have bytes of it, as UTF-8; what is UTF-8 stays as it is.
inline std::string as_utf8(std::string text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  std::size_t k =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_ascii) - text.begin());
  std::string again;
  for (std::size_t begin = k; k < text.size(); begin = k) {
    again.clear();
    append_utf8(next_code_point(text, k), again);
    if (text.compare(begin, k - begin, again) == 0) continue;
    std::string out = text.substr(0, begin);
    for (k = begin; k < text.size();) append_utf8(next_code_point(text, k), out);
    return out;
  }
  return text;
}

}  // namespace gdkm
