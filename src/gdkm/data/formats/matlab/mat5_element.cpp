#include "gdkm/data/formats/matlab/mat5_element.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "gdkm/data/files/npy.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

std::uint32_t load(const char* from, bool swapped) {
  std::uint32_t out = 0;
  std::memcpy(&out, from, sizeof(out));
  return swapped ? __builtin_bswap32(out) : out;
}

/// The element type as NumPy names it; empty for elements without numbers.
std::string_view numpy_kind(MatType type) {
  using enum MatType;
  static constexpr std::pair<MatType, std::string_view> kinds[] = {
      {int8, "i1"},   {uint8, "u1"},   {int16, "i2"},   {uint16, "u2"}, {int32, "i4"},
      {uint32, "u4"}, {float32, "f4"}, {float64, "f8"}, {int64, "i8"},  {uint64, "u8"}};
  for (const auto& [each, kind] : kinds) {
    if (each == type) return kind;
  }
  return {};
}

}  // namespace

template <class T>
std::vector<T> MatElement::numbers(const std::string& where) const {
  const std::string_view kind = numpy_kind(type);
  if (kind.empty()) {
    refuse("{}: expected numbers, got elements of type {}; save it again in MATLAB with -v7", where,
           static_cast<std::uint32_t>(type));
  }
  const auto size = static_cast<std::size_t>(kind[1] - '0');
  if (data.size() % size != 0) {
    refuse("{}: {} bytes are not a whole number of entries; the file is damaged, fetch it again", where,
           data.size());
  }
  const char swapped_order = std::endian::native == std::endian::little ? '>' : '<';
  const NpyHeader header{std::string(1, swapped ? swapped_order : '=').append(kind),
                         false,
                         {static_cast<std::int64_t>(data.size() / size)}};
  std::vector<T> out;
  npy_convert(where, header, std::as_bytes(std::span(data)), 0, out);
  return out;
}

template std::vector<double> MatElement::numbers<double>(const std::string&) const;
template std::vector<std::int64_t> MatElement::numbers<std::int64_t>(const std::string&) const;

MatCursor::MatCursor(std::string where, std::string_view bytes, bool swapped, Padding padding)
    : where_(std::move(where)), rest_(bytes), swapped_(swapped), padding_(padding) {}

MatElement MatCursor::next() {
  const auto cut_short = [&] { refuse(where_ + ": is cut short; fetch the file again"); };
  if (rest_.size() < 8) cut_short();
  std::uint32_t type = load(rest_.data(), swapped_);
  std::uint32_t size = type >> 16;
  const bool is_small = size != 0;  // up to four bytes of data fit into the tag
  if (is_small) {
    type &= 0xFFFF;
    if (size > 4)
      refuse(where_ + ": has an element with an impossible size; the file is damaged, fetch it again");
  } else {
    size = load(rest_.data() + 4, swapped_);
  }
  const std::size_t start = is_small ? 4 : 8;
  if (size > rest_.size() - start) cut_short();
  const MatElement out{static_cast<MatType>(type), rest_.substr(start, size), swapped_};
  std::size_t length = is_small ? 8 : 8 + std::size_t{size};
  if (padding_ == Padding::eight) length = (length + 7) / 8 * 8;
  rest_.remove_prefix(std::min(length, rest_.size()));
  return out;
}

std::string inflate_mat_start(const std::string& where, std::string_view packed, std::size_t most) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) refuse(where + ": zlib cannot be started; free some memory");
  const struct End {
    z_stream* stream;
    ~End() { inflateEnd(stream); }
  } end{&stream};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());  // sizes in a MATLAB 5 file have 32 bits
  std::string out;
  int status = Z_OK;
  while (status == Z_OK && out.size() < most) {
    const std::size_t old = out.size();
    const std::size_t room = std::min({most - old, std::size_t{1} << 22, std::max(old, std::size_t{4096})});
    out.resize(old + room);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + old);
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    out.resize(old + room - stream.avail_out);
  }
  if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
    refuse(where + ": the compressed data is damaged; fetch the file again");
  return out;
}

std::string inflate_mat(const std::string& where, std::string_view packed, bool swapped) {
  const std::string tag = inflate_mat_start(where, packed, 8);
  if (tag.size() < 8) refuse(where + ": is cut short; fetch the file again");
  const std::size_t size = 8 + std::size_t{load(tag.data() + 4, swapped)};
  if (size > std::max<std::size_t>(std::size_t{64} << 20, 200 * packed.size())) {
    refuse("{}: would unpack to {} MiB from {} bytes; the file is damaged, fetch it again", where, size >> 20,
           packed.size());
  }
  // One byte more than needed, so that zlib reaches the end of its stream and verifies the checksum.
  std::string out = inflate_mat_start(where, packed, size + 1);
  if (out.size() != size) {
    refuse("{}: unpacks to {} {} bytes it states; the file is damaged, fetch it again", where,
           out.size() < size ? "less than the" : "more than the", size);
  }
  return out;
}

}  // namespace gdkm
