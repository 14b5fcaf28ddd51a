#include "gdkm/data/files/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "gdkm/support/refuse.hpp"
#include "gdkm/support/utf8.hpp"

namespace gdkm {
namespace {

/// IEEE half precision, which C++20 has no type for.
struct Half {
  std::uint16_t bits;
};

double widen(Half h) {
  const double sign = h.bits & 0x8000u ? -1.0 : 1.0;
  const int exponent = (h.bits >> 10) & 31;
  const int fraction = h.bits & 1023;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

template <class S>
S load(const std::byte* from, bool swap) {
  S out;
  if (swap) {
    std::byte raw[sizeof(S)];
    std::reverse_copy(from, from + sizeof(S), raw);
    std::memcpy(&out, raw, sizeof(S));
  } else {
    std::memcpy(&out, from, sizeof(S));
  }
  return out;
}

/// False if the value has no exact counterpart in an integer type.
template <class T, class S>
bool convert(S from, T& to) {
  if constexpr (std::is_same_v<S, Half>) {
    return convert(widen(from), to);
  } else if constexpr (std::is_same_v<T, float> && std::is_same_v<S, double>) {
    // Beyond float's range the cast is undefined; callers can detect an infinity.
    constexpr double largest = std::numeric_limits<float>::max();
    to = std::fabs(from) > largest ? std::copysign(INFINITY, static_cast<float>(std::copysign(1.0, from)))
                                   : static_cast<float>(from);
    return true;
  } else if constexpr (std::is_floating_point_v<T>) {
    to = static_cast<T>(from);
    return true;
  } else if constexpr (std::is_floating_point_v<S>) {
    constexpr double below = static_cast<double>(std::numeric_limits<T>::min());
    constexpr double beyond = 2.0 * static_cast<double>(T{1} << (std::numeric_limits<T>::digits - 1));
    if (!(from >= below && from < beyond) || std::trunc(from) != from) return false;
    to = static_cast<T>(from);
    return true;
  } else {
    if (!std::in_range<T>(from)) return false;
    to = static_cast<T>(from);
    return true;
  }
}

template <class S>
std::string text(S value) {
  if constexpr (std::is_same_v<S, Half>) {
    return fmt::format("{}", widen(value));
  } else {
    return fmt::format("{}", value);
  }
}

std::string index_text(std::int64_t flat, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; flat /= shape[d]) index[d] = flat % shape[d];
  return fmt::format("[{}]", fmt::join(index, ", "));
}

template <class T, class S>
[[noreturn]] void fail_to_convert(const std::string& where, const NpyHeader& header, std::int64_t at,
                                  S value) {
  refuse("{}: element {}: expected an integer from {} to {}, got {}; correct it or store integers", where,
         index_text(at, header.shape), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
         text(value));
}

/// Elements that are contiguous in the file and in memory.
template <class T, class S>
void convert_run(const std::string& where, const NpyHeader& header, std::span<const std::byte> bytes,
                 std::int64_t first, bool swap, std::vector<T>& out) {
  const std::size_t count = bytes.size() / sizeof(S), old = out.size();
  out.resize(old + count);
  if constexpr (std::is_same_v<T, S>) {
    if (!swap) {
      if (count > 0) std::memcpy(out.data() + old, bytes.data(), count * sizeof(S));
      return;
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    const S value = load<S>(bytes.data() + k * sizeof(S), swap);
    if (!convert(value, out[old + k])) {
      fail_to_convert<T>(where, header, first + static_cast<std::int64_t>(k), value);
    }
  }
}

/// Copies Fortran order to row-major order; `at` counts through the stored order.
template <class T, class S>
void convert_transposed(const NpyArray& array, bool swap, std::vector<T>& out) {
  const auto& shape = array.shape();
  const std::int64_t count = array.size();
  std::vector<std::int64_t> stride(shape.size()), index(shape.size(), 0);
  std::int64_t step = 1;
  for (std::size_t d = 0; d < shape.size(); step *= shape[d++]) stride[d] = step;
  out.resize(static_cast<std::size_t>(count));
  std::int64_t at = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const S value = load<S>(array.bytes.data() + static_cast<std::size_t>(at) * sizeof(S), swap);
    if (!convert(value, out[static_cast<std::size_t>(k)]))
      fail_to_convert<T>(array.where, array.header, k, value);
    for (std::size_t d = shape.size(); d-- > 0;) {
      at += stride[d];
      if (++index[d] < shape[d]) break;
      at -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
}

bool is_swapped(const std::string& descr) {
  const bool is_big = descr[0] == '>';
  return is_big == (std::endian::native == std::endian::little) && descr[0] != '=' && descr[0] != '|';
}

/// Calls body(S{}) with the element type of the array.
template <class Body>
void with_element_type(const std::string& where, const NpyHeader& header, Body body) {
  const std::string kind = header.descr.substr(1);
  if (header.is_text()) refuse("{}: expected numbers, got text; store numbers", where);
  if (kind == "f4") return body(float{});
  if (kind == "f8") return body(double{});
  if (kind == "f2") return body(Half{});
  if (kind == "i1") return body(std::int8_t{});
  if (kind == "i2") return body(std::int16_t{});
  if (kind == "i4") return body(std::int32_t{});
  if (kind == "i8") return body(std::int64_t{});
  if (kind == "u2") return body(std::uint16_t{});
  if (kind == "u4") return body(std::uint32_t{});
  if (kind == "u8") return body(std::uint64_t{});
  return body(std::uint8_t{});  // u1 and b1
}

}  // namespace

std::int64_t NpyArray::size() const {
  std::int64_t product = 1;
  for (const auto extent : shape()) product *= extent;
  return product;
}

template <class T>
void npy_convert(const std::string& where, const NpyHeader& header, std::span<const std::byte> bytes,
                 std::int64_t first, std::vector<T>& out) {
  with_element_type(where, header, [&](auto element) {
    convert_run<T, decltype(element)>(where, header, bytes, first, is_swapped(header.descr), out);
  });
}

template <class T>
std::vector<T> NpyArray::as() const {
  std::vector<T> out;
  if (!header.fortran_order || shape().size() < 2) {
    npy_convert(where, header, std::span<const std::byte>(bytes), 0, out);
    return out;
  }
  with_element_type(where, header, [&](auto element) {
    convert_transposed<T, decltype(element)>(*this, is_swapped(header.descr), out);
  });
  return out;
}

std::vector<std::string> NpyArray::strings() const {
  if (!header.is_text())
    refuse("{}: expected text, got the element type '{}'; store strings", where, header.descr);
  const auto count = static_cast<std::size_t>(size());
  const std::size_t letter = header.descr[1] == 'U' ? 4 : 1;
  const std::size_t length = count == 0 ? 0 : bytes.size() / count / letter;
  std::vector<std::string> out(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::byte* from = bytes.data() + k * length * letter;
    for (std::size_t j = 0; j < length; ++j, from += letter) {
      const std::uint32_t code = letter == 4 ? load<std::uint32_t>(from, is_swapped(header.descr))
                                             : std::to_integer<std::uint32_t>(*from);
      if (code == 0) break;  // padding
      if (letter == 4) {
        append_utf8(code, out[k]);
      } else {
        out[k] += static_cast<char>(code);
      }
    }
  }
  return out;
}

template std::vector<double> NpyArray::as() const;
template void npy_convert(const std::string&, const NpyHeader&, std::span<const std::byte>, std::int64_t,
                          std::vector<double>&);
template std::vector<float> NpyArray::as() const;
template void npy_convert(const std::string&, const NpyHeader&, std::span<const std::byte>, std::int64_t,
                          std::vector<float>&);
template std::vector<std::int64_t> NpyArray::as() const;
template void npy_convert(const std::string&, const NpyHeader&, std::span<const std::byte>, std::int64_t,
                          std::vector<std::int64_t>&);
template std::vector<std::int32_t> NpyArray::as() const;
template void npy_convert(const std::string&, const NpyHeader&, std::span<const std::byte>, std::int64_t,
                          std::vector<std::int32_t>&);
template std::vector<std::uint8_t> NpyArray::as() const;
template void npy_convert(const std::string&, const NpyHeader&, std::span<const std::byte>, std::int64_t,
                          std::vector<std::uint8_t>&);

}  // namespace gdkm
