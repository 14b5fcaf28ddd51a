#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdkm {

/// The whole field as a decimal number; nothing where it is not one. Numbers too small for the type become 0,
/// numbers too large become infinite.
std::optional<double> to_double(std::string_view field);
std::optional<float> to_float(std::string_view field);

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A field as messages show it: in quotes, shortened, without control characters.
std::string show_field(std::string_view field);

/// `a` with its ASCII letters in lower case.
std::string lower_case(std::string_view a);

/// Whether `a` comes before `b` in natural order: numbers by value and before words, and digits inside words
/// by value too ("n2" before "n10").
bool natural_less(std::string_view a, std::string_view b);

}  // namespace gdkm
