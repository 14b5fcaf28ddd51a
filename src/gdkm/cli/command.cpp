#include "gdkm/cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "gdkm/cli/options.hpp"

namespace gdkm::cli {

void warn(std::string_view message) {
  fmt::print(stderr, "gdkm: warning: {}\n", spell_options(message, command_line_spelling));
}

void note(std::string_view message) {
  fmt::print(stderr, "gdkm: note: {}\n", spell_options(message, command_line_spelling));
}

std::string shell_word(std::string_view word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80 || std::strchr("_-+=:,./@%", c);
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void flush_results() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw std::system_error(errno, std::generic_category(), "standard output could not be written");
}

}  // namespace gdkm::cli
