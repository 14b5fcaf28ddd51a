#include "gdkm/data/formats/shared/text_field.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include "gdkm/support/text.hpp"

namespace gdkm {
namespace {

template <class T>
std::optional<T> parse_number(std::string_view field) {
  const bool has_plus = field.starts_with('+');
  if (has_plus) field.remove_prefix(1);
  if (field.empty() || (has_plus && field.starts_with('-'))) return std::nullopt;
  T out = 0;
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, out);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {  // which does not say on which side
    const std::string copy(field);
    return std::is_same_v<T, float> ? static_cast<T>(std::strtof(copy.c_str(), nullptr))
                                    : static_cast<T>(std::strtod(copy.c_str(), nullptr));
  }
  return out;
}

/// Takes the digits off the front of `text` and returns them without leading zeros.
std::string_view take_digits(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && is_digit(text[size])) ++size;
  std::string_view out = text.substr(0, size);
  text.remove_prefix(size);
  while (out.size() > 1 && out.front() == '0') out.remove_prefix(1);
  return out;
}

/// Negative, zero or positive, like std::string_view::compare.
int compare_words(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view x = take_digits(a), y = take_digits(b);
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      if (const int order = x.compare(y); order != 0) return order;
      continue;
    }
    if (a.front() != b.front()) return a.substr(0, 1).compare(b.substr(0, 1));
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.empty() ? (b.empty() ? 0 : -1) : 1;
}

std::optional<double> finite_number(std::string_view text) {
  const auto value = to_double(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

std::optional<double> to_double(std::string_view field) {
  return parse_number<double>(field);
}

std::optional<float> to_float(std::string_view field) {
  return parse_number<float>(field);
}

std::string show_field(std::string_view field) {
  return fmt::format("'{}'", shown(field));
}

std::string lower_case(std::string_view a) {
  std::string out(a);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool natural_less(std::string_view a, std::string_view b) {
  const auto x = finite_number(a), y = finite_number(b);
  if (x.has_value() != y.has_value()) return x.has_value();
  if (x && *x != *y) return *x < *y;
  const int order = x ? 0 : compare_words(a, b);
  return order != 0 ? order < 0 : a < b;
}

}  // namespace gdkm
