#include "gdkm/data/formats/shared/field_kind.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "gdkm/data/formats/shared/text_field.hpp"

namespace gdkm {
namespace {

/// Takes `least` to `most` digits off the front; how many, or 0.
std::size_t take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t size = 0;
  while (size < text.size() && is_digit(text[size])) ++size;
  if (size < least || size > most) return 0;
  text.remove_prefix(size);
  return size;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// What may follow a day: nothing, or hours and minutes and whatever belongs to them.
bool is_time(std::string_view text) {
  if (text.empty()) return true;
  if (!take(text, ' ') && !take(text, 'T')) return false;
  return take_digits(text, 1, 2) > 0 && take(text, ':') && take_digits(text, 2, 2) > 0 &&
         text.find_first_not_of("0123456789:.,+-Z APMapm") == std::string_view::npos;
}

/// A copy with a point for the comma, where there is one comma and no point.
bool with_point(std::string_view field, std::array<char, 64>& out) {
  const auto comma = field.find(',');
  if (comma == std::string_view::npos || field.size() > out.size()) return false;
  if (field.find_first_of(",.", comma + 1) != std::string_view::npos) return false;
  if (field.substr(0, comma).find('.') != std::string_view::npos) return false;
  std::copy(field.begin(), field.end(), out.begin());
  out[comma] = '.';
  return true;
}

template <class Read>
auto read_number(std::string_view field, bool decimal_comma, Read read) {
  std::array<char, 64> copy{};
  if (decimal_comma && with_point(field, copy)) return read(std::string_view(copy.data(), field.size()));
  return read(field);
}

}  // namespace

bool means_missing(std::string_view field) {
  if (field.empty()) return true;
  if (field.size() > 4 || is_digit(field.front())) return false;
  static constexpr std::array words{"?",   "NA",  "N/A",  "n/a",  "#N/A", "nan",  "NaN",
                                    "NAN", "NaT", "null", "NULL", "Null", "None", "<NA>"};
  return std::find(words.begin(), words.end(), field) != words.end();
}

std::optional<FlagWord> flag_word(std::string_view field) {
  if (field.empty() || field.size() > 5) return std::nullopt;
  static constexpr std::array pairs{std::pair{"false", "true"}, std::pair{"no", "yes"}, std::pair{"f", "t"},
                                    std::pair{"n", "y"}};
  const std::string word = lower_case(field);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (word == pairs[k].first) return FlagWord{static_cast<int>(k), false};
    if (word == pairs[k].second) return FlagWord{static_cast<int>(k), true};
  }
  return std::nullopt;
}

bool looks_like_date(std::string_view field) {
  if (field.size() < 6 || !is_digit(field.front())) return false;
  for (const char between : {'-', '/', '.'}) {
    std::string_view rest = field;
    const std::size_t first = take_digits(rest, 1, 4);
    if (first == 0 || first == 3 || !take(rest, between)) continue;
    if (take_digits(rest, 1, 2) == 0 || !take(rest, between)) continue;
    const std::size_t last = take_digits(rest, 1, 4);
    const bool has_year = first == 4 ? last <= 2 : last == 4 || (last == 2 && between != '-');
    if (last != 0 && last != 3 && has_year && is_time(rest)) return true;
  }
  return false;
}

bool has_digit_groups(std::string_view field, bool decimal_comma) {
  if (field.starts_with('-') || field.starts_with('+')) field.remove_prefix(1);
  for (const char between : {',', '.', ' ', '\''}) {
    std::string_view rest = field;
    if (take_digits(rest, 1, 3) == 0) continue;
    int groups = 0;
    while (!rest.empty() && rest.front() == between) {
      std::string_view after = rest.substr(1);
      if (take_digits(after, 3, 3) == 0) break;
      rest = after;
      ++groups;
    }
    if (groups == 0 || (groups == 1 && rest.empty() && (between == '.' || (between == ',' && decimal_comma))))
      continue;
    if (rest.empty()) return true;
    const char point = rest.front();
    rest.remove_prefix(1);
    if ((point == '.' || point == ',') && point != between && take_digits(rest, 1, 20) > 0 && rest.empty())
      return true;
  }
  return false;
}

std::optional<double> to_number(std::string_view field, bool decimal_comma) {
  return read_number(field, decimal_comma, to_double);
}

std::optional<float> to_feature(std::string_view field, bool decimal_comma) {
  return read_number(field, decimal_comma, to_float);
}

}  // namespace gdkm
