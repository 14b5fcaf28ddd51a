#pragma once

#include <algorithm>
#include <string_view>

namespace gdkm {

/// Whether a name has no control characters. No file or array that is looked up has any, and messages must
/// stay on one line.
inline bool is_plain_name(std::string_view name) {
  return std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < 32 || c == 127; });
}

}  // namespace gdkm
