#pragma once

#include <optional>
#include <string_view>

namespace gdkm {

/// What a field of somebody's table says on its own.

/// Whether it stands for "no value": empty, NA, N/A, nan, null, None, ? and the like. The word "none" is a
/// value.
bool means_missing(std::string_view field);

/// A word that says yes or no. Words of one pair belong together (yes, no), those of two do not (yes, false).
struct FlagWord {
  int pair;
  bool value;
};
std::optional<FlagWord> flag_word(std::string_view field);

/// A day, with or without a time: 2021-03-04, 2021/3/4, 04.03.2021, 3/4/2021 12:30, 2021-03-04T12:30:00Z.
bool looks_like_date(std::string_view field);

/// 1,234 or 1.234.567 or 1.234,5 or 1 234: digits in groups of three. With decimal commas 1,234 is a number.
bool has_digit_groups(std::string_view field, bool decimal_comma);

/// The whole field as a number; with `decimal_comma` decimals may have a comma instead of a point.
std::optional<double> to_number(std::string_view field, bool decimal_comma);
std::optional<float> to_feature(std::string_view field, bool decimal_comma);

}  // namespace gdkm
