#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdkm {

/// The names of an enumeration's values, as options, files and messages write them. Each enumeration that is
/// a choice of users has its names beside it:
///
///     enum class Pooling { mean, sum };
///     template <>
///     struct EnumNames<Pooling> {
///       static constexpr std::string_view names[] = {"mean", "sum"};  // in the order of the values, from 0
///     };
template <class E>
struct EnumNames;

template <class E>
std::string name_of(E value) {
  return std::string(EnumNames<E>::names[static_cast<std::size_t>(value)]);
}

/// The value of that name; nothing where there is none.
template <class E>
std::optional<E> value_named(std::string_view name) {
  int number = 0;
  for (const std::string_view each : EnumNames<E>::names) {
    if (each == name) return static_cast<E>(number);
    ++number;
  }
  return std::nullopt;
}

template <class E>
std::vector<std::string> names_of() {
  return {std::begin(EnumNames<E>::names), std::end(EnumNames<E>::names)};
}

}  // namespace gdkm
