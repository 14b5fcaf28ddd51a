#include "gdkm/cli/train_command.hpp"

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"

namespace gdkm::cli {

std::string train_command(const std::string& data, const std::string& data_dir, const Settings& settings,
                          const DataKind& kind) {
  std::string out = "gdkm train " + shell_word(data);
  Settings defaults;
  defaults.model = settings.model;
  if (settings.model != ModelKind::dkm) out += " --model " + name_of(settings.model);
  for (const Option& option : option_table()) {
    const std::string value = to_text(option.get(settings));
    const bool is_usual = value == to_text(option.get(defaults)) ||
                          (option.resolved && value == to_text(option.resolved(defaults, kind)));
    if (is_usual || !lack_of_effect(option, settings, kind).empty()) continue;
    out += std::holds_alternative<FlagType>(option.type)
               ? " " + command_line_spelling(option.name, {})
               : " " + command_line_spelling(option.name, shell_word(value));
  }
  if (!data_dir.empty()) out += " --data-dir " + shell_word(data_dir);
  return out;
}

}  // namespace gdkm::cli
