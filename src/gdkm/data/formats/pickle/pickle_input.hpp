#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "gdkm/support/error.hpp"

namespace gdkm {

/// The bytes of a pickle, read in order. Its InputErrors have no place; PickleReader adds it.
class PickleInput {
 public:
  PickleInput(std::string_view bytes, std::size_t start) : bytes_(bytes), at_(start) {}

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ == bytes_.size(); }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) throw InputError("the file ends within the pickle");
    const auto out = bytes_.substr(at_, count);
    at_ += count;
    return out;
  }

  /// Little-endian.
  template <std::unsigned_integral T>
  T number() {
    std::uint64_t out = 0;
    const std::string_view bytes = take(sizeof(T));
    for (std::size_t k = sizeof(T); k-- > 0;) out = out << 8 | static_cast<std::uint8_t>(bytes[k]);
    return static_cast<T>(out);
  }

  /// Bytes preceded by their number, a T.
  template <std::unsigned_integral T>
  std::string_view counted() {
    return take(number<T>());
  }

  /// An integer of up to eight bytes in two's complement, preceded by their number.
  std::int64_t long_integer() {
    const std::string_view bytes = counted<std::uint8_t>();
    if (bytes.size() > 8) throw InputError("an integer has more than 64 bits");
    std::uint64_t out = !bytes.empty() && (bytes.back() & 0x80) != 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t k = bytes.size(); k-- > 0;) out = out << 8 | static_cast<std::uint8_t>(bytes[k]);
    return static_cast<std::int64_t>(out);
  }

  /// Big-endian, unlike everything else.
  double real() {
    std::uint64_t bits = 0;
    for (const char c : take(8)) bits = bits << 8 | static_cast<std::uint8_t>(c);
    return std::bit_cast<double>(bits);
  }

  std::string_view line() {
    const auto end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) throw InputError("the file ends within the pickle");
    const auto out = take(end - at_);
    ++at_;
    return out;
  }

 private:
  std::string_view bytes_;
  std::size_t at_;
};

}  // namespace gdkm
