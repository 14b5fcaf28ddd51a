#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdkm {

/// The whole field as a decimal number, or nothing where it is none. What is too small for the type is 0,
/// what is too large is infinite.
std::optional<double> csv_number(std::string_view field);
std::optional<float> csv_float(std::string_view field);

/// A field as a message shows it: quoted, cut short, without control characters.
std::string csv_shown(std::string_view field);

/// `a` without regard to the case of its ASCII letters.
std::string lower_case(std::string_view a);

}  // namespace gdkm
