#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gdkm::cli {

/// An option or an argument of a command, as help shows it.
struct CommandOption {
  std::vector<std::string> names;    // --output and -o; of an argument: DATA
  std::string symbol;                // what stands for its value; "" of a switch
  std::vector<std::string> choices;  // its values, where they are few words
  std::string help;                  // on one line
  bool is_argument = false;

  bool takes_file() const { return symbol.find("FILE") != std::string::npos || symbol == "DIR"; }
};

/// A command of the program with all that it has, as one value: what completes words, the manual and
/// `gdkm help` are made of it, so that they cannot miss an option.
struct Command {
  std::string path;  // gdkm data import
  std::string name, help, footer;
  std::vector<CommandOption> options;
  std::vector<Command> commands;

  bool has_argument(const std::string& name) const;
};

Command command_tree(const CLI::App& app);

/// The command and all below it, from the top.
std::vector<const Command*> all_commands(const Command& top);

}  // namespace gdkm::cli
