#include "gdkm/support/option_mention.hpp"

namespace gdkm {

namespace {
// Control characters, which no message has for another reason.
constexpr char begin_mention = '\x01', begin_value = '\x02', end_mention = '\x03';
}  // namespace

std::string option(std::string_view name, std::string_view value) {
  std::string out(1, begin_mention);
  out += name;
  if (!value.empty()) out.append(1, begin_value).append(value);
  return out + end_mention;
}

std::string library_spelling(std::string_view name, std::string_view value) {
  std::string out(name);
  return value.empty() ? out : out.append(" = ").append(value);
}

std::string spell_options(std::string_view message, const OptionSpelling& spelling) {
  std::string out;
  while (true) {
    const auto begin = message.find(begin_mention);
    const auto end = message.find(end_mention, begin == std::string_view::npos ? 0 : begin);
    out += message.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    const auto mention = message.substr(begin + 1, end - begin - 1);
    const auto value = mention.find(begin_value);
    out += value == std::string_view::npos ? spelling(mention, {})
                                           : spelling(mention.substr(0, value), mention.substr(value + 1));
    if (end == std::string_view::npos) return out;
    message.remove_prefix(end + 1);
  }
}

}  // namespace gdkm
