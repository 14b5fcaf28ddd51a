#include "gdkm/data/formats/matlab/mat5_element.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

template <class Stored>
Stored load(const char* from, bool swapped) {
  char raw[sizeof(Stored)];
  std::memcpy(raw, from, sizeof(Stored));
  if (swapped) std::reverse(std::begin(raw), std::end(raw));
  Stored out;
  std::memcpy(&out, raw, sizeof(Stored));
  return out;
}

template <class T, class Stored>
T convert(Stored value, const std::string& where, std::size_t at) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    bool exact = true;
    if constexpr (std::is_floating_point_v<Stored>)
      exact = std::fabs(value) <= 1e15 && value == std::floor(value);
    if constexpr (std::is_same_v<Stored, std::uint64_t>)
      exact = value <= std::numeric_limits<std::int64_t>::max();
    if (!exact)
      throw InputError(
          fmt::format("{}: entry {}: expected an integer, got {}; store integers", where, at, value));
  }
  return static_cast<T>(value);
}

template <class T, class Stored>
std::vector<T> convert_all(const MatElement& element, const std::string& where) {
  if (element.data.size() % sizeof(Stored) != 0) {
    throw InputError(
        fmt::format("{}: {} bytes are not a whole number of entries; the file is damaged, fetch it again",
                    where, element.data.size()));
  }
  std::vector<T> out(element.data.size() / sizeof(Stored));
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = convert<T>(load<Stored>(element.data.data() + k * sizeof(Stored), element.swapped), where, k);
  return out;
}

}  // namespace

template <class T>
std::vector<T> MatElement::numbers(const std::string& where) const {
  switch (type) {
    case MatType::int8:
      return convert_all<T, std::int8_t>(*this, where);
    case MatType::uint8:
      return convert_all<T, std::uint8_t>(*this, where);
    case MatType::int16:
      return convert_all<T, std::int16_t>(*this, where);
    case MatType::uint16:
      return convert_all<T, std::uint16_t>(*this, where);
    case MatType::int32:
      return convert_all<T, std::int32_t>(*this, where);
    case MatType::uint32:
      return convert_all<T, std::uint32_t>(*this, where);
    case MatType::float32:
      return convert_all<T, float>(*this, where);
    case MatType::float64:
      return convert_all<T, double>(*this, where);
    case MatType::int64:
      return convert_all<T, std::int64_t>(*this, where);
    case MatType::uint64:
      return convert_all<T, std::uint64_t>(*this, where);
    case MatType::matrix:
    case MatType::compressed:
      break;
  }
  throw InputError(
      fmt::format("{}: expected numbers, got elements of type {}; save it again in MATLAB with -v7", where,
                  static_cast<std::uint32_t>(type)));
}

template std::vector<double> MatElement::numbers<double>(const std::string&) const;
template std::vector<std::int64_t> MatElement::numbers<std::int64_t>(const std::string&) const;

MatCursor::MatCursor(std::string where, std::string_view bytes, bool swapped, Padding padding)
    : where_(std::move(where)), rest_(bytes), swapped_(swapped), padding_(padding) {}

MatElement MatCursor::next() {
  const auto cut_short = [&] { throw InputError(where_ + ": is cut short; fetch the file again"); };
  if (rest_.size() < 8) cut_short();
  std::uint32_t type = load<std::uint32_t>(rest_.data(), swapped_);
  std::uint32_t size = type >> 16;
  const bool is_small = size != 0;  // up to four bytes of data fit into the tag
  if (is_small) {
    type &= 0xFFFF;
    if (size > 4)
      throw InputError(where_ +
                       ": has an element with an impossible size; the file is damaged, fetch it again");
  } else {
    size = load<std::uint32_t>(rest_.data() + 4, swapped_);
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
  if (inflateInit(&stream) != Z_OK) throw InputError(where + ": zlib cannot be started; free some memory");
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
    throw InputError(where + ": the compressed data is damaged; fetch the file again");
  return out;
}

std::string inflate_mat(const std::string& where, std::string_view packed, bool swapped) {
  const std::string tag = inflate_mat_start(where, packed, 8);
  if (tag.size() < 8) throw InputError(where + ": is cut short; fetch the file again");
  const std::size_t size = 8 + std::size_t{load<std::uint32_t>(tag.data() + 4, swapped)};
  if (size > std::max<std::size_t>(std::size_t{64} << 20, 200 * packed.size())) {
    throw InputError(
        fmt::format("{}: would unpack to {} MiB from {} bytes; the file is damaged, fetch it again", where,
                    size >> 20, packed.size()));
  }
  // One byte more than needed, so that zlib reaches the end of its stream and verifies the checksum.
  std::string out = inflate_mat_start(where, packed, size + 1);
  if (out.size() != size) {
    throw InputError(fmt::format("{}: unpacks to {} {} bytes it states; the file is damaged, fetch it again",
                                 where, out.size() < size ? "less than the" : "more than the", size));
  }
  return out;
}

}  // namespace gdkm
