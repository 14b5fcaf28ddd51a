#pragma once

#include <string_view>

namespace gdkm {

/// Whether `a` stands before `b` in the order a person expects: numbers by their value and before words, and
/// digits within words by their value too ("n2" before "n10").
bool natural_less(std::string_view a, std::string_view b);

}  // namespace gdkm
