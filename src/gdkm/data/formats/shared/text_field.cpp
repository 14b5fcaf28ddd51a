#include "gdkm/data/formats/shared/text_field.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <type_traits>

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

}  // namespace

std::optional<double> to_double(std::string_view field) {
  return parse_number<double>(field);
}

std::optional<float> to_float(std::string_view field) {
  return parse_number<float>(field);
}

std::string show_field(std::string_view field) {
  std::string out(field.substr(0, 40));
  std::replace_if(
      out.begin(), out.end(), [](unsigned char c) { return c < 32 || c == 127; }, ' ');
  return "'" + out + (field.size() > 40 ? "...'" : "'");
}

std::string lower_case(std::string_view a) {
  std::string out(a);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace gdkm
