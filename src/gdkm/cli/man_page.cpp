#include "gdkm/cli/man_page.hpp"

#include <fmt/format.h>

#include "gdkm/support/version.hpp"

namespace gdkm::cli {

namespace {

/// Text as roff prints it: hyphens that can be copied, no line that looks like a request.
std::string plain(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    begins = c == '\n';
  }
  return out;
}

std::string synopsis(const Command& command) {
  std::string out = "\\fB" + plain(command.path) + "\\fR";
  if (!command.commands.empty()) return out + " \\fICOMMAND\\fR ...";
  for (const CommandOption& option : command.options) {
    if (option.is_argument) out += " \\fI" + plain(option.names.front()) + "\\fR";
  }
  return out + " [\\fIoptions\\fR]";
}

std::string option_text(const CommandOption& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + std::string(option.is_argument ? "\\fI" : "\\fB") + plain(name) +
             "\\fR";
  if (!option.symbol.empty() && !option.is_argument) names += " \\fI" + plain(option.symbol) + "\\fR";
  return ".TP\n" + names + "\n" + (option.help.empty() ? "\\&" : plain(option.help)) + "\n";
}

}  // namespace

std::string man_page(const Command& top) {
  std::string out = fmt::format(".TH GDKM 1 \"\" \"gdkm {}\" \"User Commands\"\n", version) +
                    ".SH NAME\ngdkm \\- graph convolutional deep kernel machines\n.SH SYNOPSIS\n" +
                    synopsis(top) + "\n.SH DESCRIPTION\n" + plain(top.help) + "\n.PP\n.nf\n" +
                    plain(top.footer) + "\n.fi\n.SH COMMANDS\n";
  for (const Command* command : all_commands(top)) {
    if (command->path == top.path || !command->commands.empty()) continue;
    out += ".SS " + synopsis(*command) + "\n" + plain(command->help) + "\n";
    for (const CommandOption& option : command->options) out += option_text(option);
    if (!command->footer.empty()) out += ".PP\n.nf\n" + plain(command->footer) + "\n.fi\n";
  }
  return out +
         ".SH EXIT STATUS\n"
         ".TP\n0\nThe command did what was asked.\n"
         ".TP\n2\nWrong usage or bad input; one line says what, where and what to do.\n"
         ".TP\n3\nA numerical failure that could not be recovered.\n"
         ".TP\n130, 143\nStopped by Ctrl\\-C or SIGTERM; work that takes long left a checkpoint.\n"
         ".TP\n1\nAnything else.\n"
         ".SH ENVIRONMENT\n"
         ".TP\nGDKM_DATA\nA folder with data sets, searched after that of \\-\\-data\\-dir.\n";
}

}  // namespace gdkm::cli
