#include "gdkm/cli/options.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/settings/option.hpp"
#include "gdkm/support/option_mention.hpp"

namespace gdkm::cli {

namespace {

constexpr std::size_t help_columns = 50;  // lines that fit beside the names of options

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
    const std::string help = wrapped(spell_options(option.help, command_line_spelling), help_columns);
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
