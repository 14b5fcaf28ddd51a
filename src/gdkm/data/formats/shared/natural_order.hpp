#pragma once

#include <string_view>

namespace gdkm {

/// Whether `a` comes before `b` in natural order: numbers by value and before words, and digits inside words
/// by value too ("n2" before "n10").
bool natural_less(std::string_view a, std::string_view b);

}  // namespace gdkm
