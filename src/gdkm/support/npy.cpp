#include "gdkm/support/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

/// IEEE half precision, for which C++20 has no type.
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

/// False where the value has no exact counterpart of an integer type.
template <class T, class S>
bool convert(S from, T& to) {
  if constexpr (std::is_same_v<S, Half>) {
    return convert(widen(from), to);
  } else if constexpr (std::is_same_v<T, float> && std::is_same_v<S, double>) {
    // Beyond float's range the cast is undefined; an infinity is what the caller can detect.
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

/// Copies to row-major order; `at` steps through the stored order of a Fortran array like an odometer.
template <class T, class S>
std::vector<T> convert_all(const NpyArray& array, bool swap) {
  const auto& shape = array.shape();
  const std::int64_t count = array.size();
  std::vector<std::int64_t> stride(shape.size()), index(shape.size(), 0);
  std::int64_t step = 1;
  for (std::size_t d = 0; d < shape.size(); step *= shape[d++]) stride[d] = step;
  const bool transposed = array.header.fortran_order && shape.size() > 1;
  std::vector<T> out(static_cast<std::size_t>(count));
  std::int64_t at = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const S value = load<S>(array.bytes.data() + static_cast<std::size_t>(at) * sizeof(S), swap);
    if (!convert(value, out[static_cast<std::size_t>(k)])) {
      throw InputError(fmt::format(
          "{}: element {} is {}, but an integer from {} to {} is needed there; correct it or store integers",
          array.where, index_text(k, shape), text(value), std::numeric_limits<T>::min(),
          std::numeric_limits<T>::max()));
    }
    if (!transposed) {
      ++at;
      continue;
    }
    for (std::size_t d = shape.size(); d-- > 0;) {
      at += stride[d];
      if (++index[d] < shape[d]) break;
      at -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
  return out;
}

}  // namespace

std::int64_t NpyArray::size() const {
  std::int64_t product = 1;
  for (const auto extent : shape()) product *= extent;
  return product;
}

template <class T>
std::vector<T> NpyArray::as() const {
  const bool is_big = header.descr[0] == '>';
  const bool swap = is_big == (std::endian::native == std::endian::little) && header.descr[0] != '=';
  const std::string kind = header.descr.substr(1);
  if (kind == "f4") return convert_all<T, float>(*this, swap);
  if (kind == "f8") return convert_all<T, double>(*this, swap);
  if (kind == "f2") return convert_all<T, Half>(*this, swap);
  if (kind == "i1") return convert_all<T, std::int8_t>(*this, false);
  if (kind == "i2") return convert_all<T, std::int16_t>(*this, swap);
  if (kind == "i4") return convert_all<T, std::int32_t>(*this, swap);
  if (kind == "i8") return convert_all<T, std::int64_t>(*this, swap);
  if (kind == "u2") return convert_all<T, std::uint16_t>(*this, swap);
  if (kind == "u4") return convert_all<T, std::uint32_t>(*this, swap);
  if (kind == "u8") return convert_all<T, std::uint64_t>(*this, swap);
  return convert_all<T, std::uint8_t>(*this, false);  // u1 and b1
}

template <class T>
T NpyArray::scalar() const {
  if (size() != 1) {
    throw InputError(fmt::format("{}: has shape {}, but one number is needed; store a scalar", where,
                                 shape_text(shape())));
  }
  return as<T>().front();
}

template std::vector<double> NpyArray::as() const;
template std::vector<float> NpyArray::as() const;
template std::vector<std::int64_t> NpyArray::as() const;
template std::vector<std::int32_t> NpyArray::as() const;
template std::vector<std::uint8_t> NpyArray::as() const;
template double NpyArray::scalar() const;
template float NpyArray::scalar() const;
template std::int64_t NpyArray::scalar() const;
template std::int32_t NpyArray::scalar() const;
template std::uint8_t NpyArray::scalar() const;

}  // namespace gdkm
