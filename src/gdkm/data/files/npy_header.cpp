#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>

#include "gdkm/data/files/npy.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr const char* write_again = "write it again with numpy.savez_compressed";

/// Parses the dictionary of a header: a Python literal with three known keys.
class HeaderParser {
 public:
  HeaderParser(const std::string& where, std::string_view text) : where_(where), text_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        header.descr = descr();
        has_descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
        has_order = true;
      } else if (key == "shape") {
        header.shape = shape();
        has_shape = true;
      } else {
        fail();
      }
      accept(',');
    }
    if (!has_descr || !has_order || !has_shape) fail();
    return header;
  }

 private:
  [[noreturn]] void fail() const { refuse("{}: its .npy header is malformed; {}", where_, write_again); }
  void skip_space() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\t'))
      text_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_space();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  std::string_view quoted() {
    skip_space();
    if (text_.empty() || (text_[0] != '\'' && text_[0] != '"')) fail();
    const auto end = text_.find(text_[0], 1);
    if (end == std::string_view::npos) fail();
    const auto out = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return out;
  }
  std::string descr() {
    skip_space();
    if (text_.starts_with('[')) refuse("{}: is a structured array; store one plain array per field", where_);
    const std::string_view text = quoted();
    // It appears in messages, which are one line of readable text.
    if (!std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; })) fail();
    return std::string(text);
  }
  bool boolean() {
    skip_space();
    const bool value = text_.starts_with("True");
    if (!value && !text_.starts_with("False")) fail();
    text_.remove_prefix(value ? 4 : 5);
    return value;
  }
  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> out;
    expect('(');
    while (!accept(')')) {
      skip_space();
      std::int64_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (error != std::errc{} || extent < 0) fail();
      out.push_back(extent);
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      accept('L');  // long integers of Python 2
      if (!accept(',') && !text_.starts_with(')')) fail();
    }
    return out;
  }

  const std::string& where_;
  std::string_view text_;
};

/// The length of a string type ('<U12', '|S3'), or 0 for other types. NumPy itself stops at 2^31 bytes.
std::size_t text_length(const std::string& descr) {
  if (descr.size() < 3 || descr.size() > 10 || (descr[1] != 'U' && descr[1] != 'S')) return 0;
  if (std::string_view("<>|=").find(descr[0]) == std::string_view::npos) return 0;
  std::size_t length = 0;
  const char* end = descr.data() + descr.size();
  const auto [stop, error] = std::from_chars(descr.data() + 2, end, length);
  return error == std::errc{} && stop == end && length < (std::size_t{1} << 28) ? length : 0;
}

std::size_t element_size(const std::string& where, const std::string& descr) {
  constexpr std::array<std::string_view, 12> kinds = {"f2", "f4", "f8", "i1", "i2", "i4",
                                                      "i8", "u1", "u2", "u4", "u8", "b1"};
  if (descr.find('O') != std::string::npos)
    refuse("{}: is an object (pickled) array; store numbers, e.g. with .astype(float)", where);
  const std::string_view text = descr;
  if (text.size() == 3 && std::string_view("<>|=").find(text[0]) != std::string_view::npos) {
    for (const auto kind : kinds) {
      if (text.substr(1) == kind) return static_cast<std::size_t>(kind[1] - '0');
    }
  }
  if (const std::size_t letters = text_length(descr); letters > 0)
    return descr[1] == 'U' ? 4 * letters : letters;
  refuse("{}: has the element type '{}'; store bools, integers or floats of at most 8 bytes", where, descr);
}

}  // namespace

bool NpyHeader::is_integer() const {
  return descr.size() == 3 && descr[1] != 'f' && !is_text();
}

bool NpyHeader::is_text() const {
  return text_length(descr) > 0;
}

std::size_t npy_header_length(const std::string& where, std::span<const std::byte> start) {
  if (start.size() < 10) return 0;
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  const auto byte = [&](std::size_t k) { return static_cast<std::size_t>(start[k]); };
  if (!text.starts_with(magic))
    refuse("{}: is not in .npy format (its magic bytes are missing); {}", where, write_again);
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    refuse("{}: has .npy version {}, only 1 to 3 are supported; {}", where, version, write_again);
  if (version == 1) return 10 + byte(8) + 256 * byte(9);
  if (start.size() < 12) return 0;
  return 12 + byte(8) + (byte(9) << 8) + (byte(10) << 16) + (byte(11) << 24);
}

NpyHeader parse_npy_header(const std::string& where, std::span<const std::byte> start) {
  const std::size_t length = npy_header_length(where, start);
  if (length == 0 || length > start.size())
    refuse("{}: ends within its header; the file is cut short, {}", where, write_again);
  const std::size_t prefix = std::to_integer<int>(start[6]) == 1 ? 10 : 12;
  const std::string_view text(reinterpret_cast<const char*>(start.data()) + prefix, length - prefix);
  NpyHeader header = HeaderParser(where, text).parse();
  header.length = length;
  return header;
}

std::size_t npy_data_size(const std::string& where, const NpyHeader& header) {
  std::size_t size = element_size(where, header.descr);
  for (const auto extent : header.shape) {
    if (extent == 0) return 0;
  }
  for (const auto extent : header.shape) {
    if (__builtin_mul_overflow(size, static_cast<std::size_t>(extent), &size) ||
        size > std::size_t{std::numeric_limits<std::int64_t>::max()}) {
      refuse("{}: states the shape {}, which does not fit into memory; {}", where, shape_text(header.shape),
             write_again);
    }
  }
  return size;
}

std::string make_npy_header(const std::string& descr, const std::vector<std::int64_t>& shape) {
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape_text(shape));
  while ((10 + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string out(magic);
  out += {'\1', '\0', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return out + text;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace gdkm
