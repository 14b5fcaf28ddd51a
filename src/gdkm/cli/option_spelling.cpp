#include "gdkm/cli/option_spelling.hpp"

#include <algorithm>

namespace gdkm::cli {

std::string command_line_spelling(std::string_view name, std::string_view value) {
  std::string out = "--" + std::string(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return value.empty() || value == "true" ? out : out.append(" ").append(value);
}

}  // namespace gdkm::cli
