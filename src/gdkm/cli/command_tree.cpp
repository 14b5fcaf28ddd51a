#include "gdkm/cli/command_tree.hpp"

#include <algorithm>
#include <cctype>

namespace gdkm::cli {

namespace {

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::islower(c) || std::isdigit(c) || c == '-';
  });
}

/// dkm|nngp|gcn has three; FILE|- and X|inf|X1,X2,.. have none that would be all.
std::vector<std::string> choices_in(const std::string& symbol) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= symbol.size();) {
    const std::size_t end = std::min(symbol.find('|', begin), symbol.size());
    out.push_back(symbol.substr(begin, end - begin));
    begin = end + 1;
  }
  const bool all = out.size() > 1 && std::all_of(out.begin(), out.end(), is_word);
  return all ? out : std::vector<std::string>();
}

CommandOption option_of(const CLI::Option& option) {
  CommandOption out;
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  out.is_argument = out.names.empty();
  if (out.is_argument) out.names.push_back(option.get_name());
  const bool is_switch = option.get_expected_min() == 0 && option.get_items_expected_max() == 0;
  if (!is_switch) out.symbol = option.get_type_name();
  out.choices = choices_in(out.symbol);
  out.help = on_one_line(option.get_description());
  return out;
}

Command tree_of(const CLI::App& app, const std::string& above) {
  Command out;
  out.name = app.get_name();
  out.path = above.empty() ? out.name : above + " " + out.name;
  out.help = on_one_line(app.get_description());
  out.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) out.options.push_back(option_of(*option));
  for (const CLI::App* child : app.get_subcommands({})) out.commands.push_back(tree_of(*child, out.path));
  return out;
}

void collect(const Command& command, std::vector<const Command*>& out) {
  out.push_back(&command);
  for (const Command& child : command.commands) collect(child, out);
}

}  // namespace

bool Command::has_argument(const std::string& name) const {
  return std::any_of(options.begin(), options.end(), [&](const CommandOption& option) {
    return option.is_argument && option.names.front() == name;
  });
}

Command command_tree(const CLI::App& app) {
  return tree_of(app, "");
}

std::vector<const Command*> all_commands(const Command& top) {
  std::vector<const Command*> out;
  collect(top, out);
  return out;
}

}  // namespace gdkm::cli
