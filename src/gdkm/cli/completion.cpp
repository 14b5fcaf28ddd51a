#include "gdkm/cli/completion.hpp"

#include <fmt/format.h>

#include "gdkm/data/catalogue/entry.hpp"

namespace gdkm::cli {

namespace {

std::string data_names() {
  std::string out;
  for (const CatalogueEntry& entry : catalogue()) out += (out.empty() ? "" : " ") + entry.name;
  return out;
}

/// What may follow a command as a word of its own.
std::string words_after(const Command& command) {
  std::vector<std::string> words;
  for (const Command& child : command.commands) words.push_back(child.name);
  for (const CommandOption& option : command.options) {
    if (!option.is_argument) words.insert(words.end(), option.names.begin(), option.names.end());
  }
  if (command.has_argument("DATA")) words.push_back(data_names());
  return fmt::format("{}", fmt::join(words, " "));
}

/// The lines of a case statement that walk down the tree of commands.
std::string steps(const std::vector<const Command*>& all) {
  std::string out;
  for (const Command* command : all) {
    if (command->path != "gdkm") out += (out.empty() ? "\"" : "|\"") + command->path + "\"";
  }
  return out;
}

/// `text` between single quotes, in bash, zsh and fish alike.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string bash(const Command& top) {
  const auto all = all_commands(top);
  std::string values, words;
  for (const Command* command : all) {
    words += fmt::format("    \"{}\") words=\"{}\" ;;\n", command->path, words_after(*command));
    for (const CommandOption& option : command->options) {
      if (option.is_argument || option.symbol.empty()) continue;
      for (const std::string& name : option.names) {
        values += fmt::format("    \"{} {}\") ", command->path, name);
        values += option.choices.empty()
                      ? (option.takes_file() ? "COMPREPLY=($(compgen -f -- \"$word\"))" : ":")
                      : fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))",
                                    fmt::join(option.choices, " "));
        values += "; return ;;\n";
      }
    }
  }
  return "# bash completes the words of gdkm with this. In ~/.bashrc:  source <(gdkm completion bash)\n"
         "_gdkm() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} at=gdkm words= k\n"
         "  COMPREPLY=()\n"
         "  for ((k = 1; k < COMP_CWORD; ++k)); do\n"
         "    case \"$at ${COMP_WORDS[k]}\" in " +
         steps(all) +
         ") at=\"$at ${COMP_WORDS[k]}\" ;; esac\n"
         "  done\n"
         "  case \"$at $last\" in\n" +
         values +
         "  esac\n"
         "  case \"$at\" in\n" +
         words +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  if [[ $at != gdkm && $word != -* ]]; then COMPREPLY+=($(compgen -f -- \"$word\")); fi\n"
         "}\n"
         "complete -o filenames -F _gdkm gdkm\n";
}

/// `text` within an option specification of zsh's _arguments.
std::string for_zsh(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh(const Command& top) {
  const auto all = all_commands(top);
  std::string cases;
  for (const Command* command : all) {
    cases += fmt::format("    \"{}\")\n", command->path);
    if (!command->commands.empty()) {
      cases += "      commands=(\n";
      for (const Command& child : command->commands)
        cases += "        " + in_quotes(for_zsh(child.name) + ":" + child.help) + "\n";
      cases += "      )\n      _describe command commands\n";
    }
    cases += "      _arguments";
    for (const CommandOption& option : command->options) {
      if (option.is_argument) continue;
      for (const std::string& name : option.names) {
        std::string text = fmt::format("{}[{}]", name, for_zsh(option.help));
        if (!option.symbol.empty()) {
          text += ":" + for_zsh(option.symbol) + ":";
          if (!option.choices.empty()) text += fmt::format("({})", fmt::join(option.choices, " "));
          if (option.takes_file()) text += "_files";
        }
        cases += " \\\n        " + in_quotes(text);
      }
    }
    if (command->commands.empty())
      cases += command->has_argument("DATA") ? " \\\n        '*:data:{ _alternative \"names:data set:(" +
                                                   data_names() + ")\" \"files:file:_files\" }'"
                                             : " \\\n        '*:file:_files'";
    cases += " ;;\n";
  }
  return "#compdef gdkm\n"
         "# zsh completes the words of gdkm with this: a file _gdkm in a folder of $fpath.\n"
         "_gdkm() {\n"
         "  local at=gdkm k\n"
         "  local -a commands\n"
         "  for ((k = 2; k < CURRENT; ++k)); do\n"
         "    case \"$at $words[k]\" in " +
         steps(all) +
         ") at=\"$at $words[k]\" ;; esac\n"
         "  done\n"
         "  case \"$at\" in\n" +
         cases +
         "  esac\n"
         "}\n"
         "_gdkm \"$@\"\n";
}

std::string fish(const Command& top) {
  std::string out =
      "# fish completes the words of gdkm with this: gdkm.fish in ~/.config/fish/completions.\n"
      "complete -c gdkm -n __fish_use_subcommand -f\n";
  for (const Command* command : all_commands(top)) {
    std::string condition;
    for (std::size_t begin = 4; begin < command->path.size();) {  // the words after "gdkm"
      const std::size_t end = std::min(command->path.find(' ', begin + 1), command->path.size());
      condition += (condition.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from") +
                   command->path.substr(begin, end - begin);
      begin = end;
    }
    if (condition.empty()) condition = "__fish_use_subcommand";
    const std::string start = "complete -c gdkm -n " + in_quotes(condition);
    for (const Command& child : command->commands)
      out += start + " -f -a " + child.name + " -d " + in_quotes(child.help) + "\n";
    if (command->has_argument("DATA")) out += start + " -a " + in_quotes(data_names()) + "\n";
    for (const CommandOption& option : command->options) {
      if (option.is_argument) continue;
      out += start;
      for (const std::string& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.choices.empty()) {
        out += fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
      } else if (!option.symbol.empty()) {
        out += option.takes_file() ? " -r" : " -x";
      }
      out += " -d " + in_quotes(option.help) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string completion_script(Shell shell, const Command& top) {
  return shell == Shell::bash ? bash(top) : shell == Shell::zsh ? zsh(top) : fish(top);
}

}  // namespace gdkm::cli
