#include <fmt/format.h>

#include <algorithm>

#include "gdkm/cli/command.hpp"
#include "gdkm/experiments/text_table.hpp"

namespace gdkm::cli {

namespace {

std::string wrong_command(const CLI::App& command, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(each->get_name());
  }
  if (words.empty()) return fmt::format("missing command; expected one of {}", fmt::join(known, ", "));
  if (words[0].starts_with("-")) return fmt::format("unknown option '{}' before a command", words[0]);
  const std::string hint = suggestion(words[0], known);
  return fmt::format("unknown command '{}'{}", words[0],
                     hint.empty() ? fmt::format("; use {}", fmt::join(known, ", ")) : hint);
}

std::string unexpected(const CLI::App& command, const std::vector<std::string>& words) {
  const auto option =
      std::find_if(words.begin(), words.end(), [](const auto& word) { return word.starts_with("-"); });
  if (option == words.end()) return fmt::format("unexpected argument '{}'", words[0]);
  std::vector<std::string> known;
  for (const CLI::Option* each : command.get_options()) {
    if (each->get_name().starts_with("--")) known.push_back(each->get_name());
  }
  const std::string name = option->substr(0, option->find('='));
  return fmt::format("unknown option '{}'{}", name, suggestion(name, known));
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  std::string path = "gdkm";
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands()[0];
    path += " " + command->get_name();
  }
  const auto words = app.remaining(true);
  std::string what = error.what();
  if (command->get_require_subcommand_min() > 0) {
    what = wrong_command(*command, words);
  } else if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !words.empty()) {
    what = unexpected(*command, words);
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string name = what.substr(0, what.find(':'));
    const CLI::Option* option = command->get_option_no_throw(name);
    if (option != nullptr)
      what = name + (option->count() > 1 ? " is given more than once" : " needs a value");
  }
  return fmt::format("{}; see {} --help", what, path);
}

}  // namespace gdkm::cli
