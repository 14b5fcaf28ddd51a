#include <fmt/format.h>

#include <algorithm>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/completion.hpp"
#include "gdkm/cli/man_page.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

/// gdkm help data import prints what gdkm data import --help does.
void print_help(const CLI::App& top, const std::vector<std::string>& words) {
  const CLI::App* at = &top;
  std::string path = "gdkm";
  for (const std::string& word : words) {
    const auto children = at->get_subcommands([](const CLI::App*) { return true; });
    const auto found = std::find_if(children.begin(), children.end(),
                                    [&](const CLI::App* child) { return child->get_name() == word; });
    if (found == children.end()) {
      std::vector<std::string> names;
      for (const CLI::App* child : children) names.push_back(child->get_name());
      throw InputError(fmt::format(
          "there is no command '{} {}'; {}", path, word,
          names.empty() ? "see " + path + " --help" : fmt::format("there are {}", fmt::join(names, ", "))));
    }
    at = *found;
    path += " " + word;
  }
  // App::help() of the program would be that of the command which was given: this one.
  fmt::print("{}", at->get_formatter()->make_help(at, path, CLI::AppFormatMode::Normal));
}

}  // namespace

void add_help(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App& help = *app.add_subcommand("help", "What a command does, its options and examples");
  help.add_option("COMMAND", *words, "Its words, e.g. data import")->type_name("");
  help.footer("Examples:\n  gdkm help\n  gdkm help train\n  gdkm help data import");
  help.callback([words, &app] { print_help(app, *words); });

  auto shell = std::make_shared<Shell>();
  CLI::App& completion = *app.add_subcommand("completion", "A script that completes words in your shell");
  completion
      .add_option_function<std::string>(
          "SHELL",
          [shell](const std::string& given) {
            const auto named = value_named<Shell>(given);
            if (!named)
              throw InputError("no completion for '" + given + "'; there is one for bash, zsh, fish");
            *shell = *named;
          },
          "bash, zsh or fish")
      ->required()
      ->type_name("");
  completion.footer(
      "Examples:\n"
      "  source <(gdkm completion bash)                     in ~/.bashrc\n"
      "  gdkm completion zsh > ~/.zfunc/_gdkm               a folder of $fpath\n"
      "  gdkm completion fish > ~/.config/fish/completions/gdkm.fish");
  completion.callback([shell, &app] { fmt::print("{}", completion_script(*shell, command_tree(app))); });

  CLI::App& man = *app.add_subcommand("man", "The manual page, gdkm(1)");
  man.footer("Examples:\n  gdkm man | man -l -\n  gdkm man > gdkm.1");
  man.callback([&app] { fmt::print("{}", man_page(command_tree(app))); });
}

}  // namespace gdkm::cli
