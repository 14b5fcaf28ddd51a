#include "gdkm/cli/settings_options.hpp"

#include <sstream>

#include "gdkm/cli/option_spelling.hpp"
#include "gdkm/settings/option.hpp"
#include "gdkm/support/option_mention.hpp"

namespace gdkm::cli {

namespace {

/// In lines that fit beside the names of options.
std::string wrapped(const std::string& text) {
  constexpr std::size_t width = 50;
  std::istringstream words(text);
  std::string out, word;
  std::size_t column = 0;
  while (words >> word) {
    if (column > 0 && column + 1 + word.size() > width) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string default_text(const Option& option) {
  const OptionValue value = option.get(Settings{});
  const auto* whole = std::get_if<WholeType>(&option.type);
  return whole != nullptr && !whole->zero.empty() && value == OptionValue(std::int64_t{0}) ? whole->zero
                                                                                           : to_text(value);
}

}  // namespace

void add_settings_options(CLI::App& command, Settings& settings, std::set<std::string>* given,
                          const std::set<std::string>& names) {
  for (const Option& option : option_table()) {
    if (!names.empty() && !names.contains(option.name)) continue;
    const std::string flag = command_line_spelling(option.name, {});
    const std::string help = wrapped(spell_options(option.help, command_line_spelling));
    const auto take = [&option, &settings, given](const OptionValue& value) {
      option.set(settings, value);
      if (given != nullptr) given->insert(option.name);
    };
    if (std::holds_alternative<FlagType>(option.type)) {
      command
          .add_flag_callback(
              flag, [take] { take(true); }, help)
          ->group(option.group);
      continue;
    }
    command
        .add_option_function<std::string>(
            flag,
            [take, &option](const std::string& text) { take(parse_value(option.name, option.type, text)); },
            help)
        ->type_name(option.symbol)
        ->default_str(default_text(option))
        ->group(option.group);
  }
}

}  // namespace gdkm::cli
