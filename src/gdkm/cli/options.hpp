#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <concepts>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <type_traits>

#include "gdkm/settings/settings.hpp"
#include "gdkm/support/enum_names.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

/// Adds an argument without a name of its own, which must be given.
template <class T>
CLI::Option* add_argument(CLI::App& app, const std::string& name, T& value, const std::string& help) {
  return app.add_option(name, value, help)->required()->type_name("");
}

/// Adds an option whose value is text; the help shows it as `symbol`.
template <class T>
CLI::Option* add_text(CLI::App& app, const std::string& name, const std::string& symbol, T& value,
                      const std::string& help) {
  return app.add_option(name, value, help)->type_name(symbol);
}

/// Adds an option whose value is one of the names of an enumeration.
template <class E>
CLI::Option* add_choice(CLI::App& app, const std::string& name, E& value, const std::string& help) {
  const auto take = [&value, name](const std::string& given) {
    const auto named = value_named<E>(given);
    if (!named) {
      throw OptionError(name.substr(2), given,
                        fmt::format("expected one of {}", fmt::join(names_of<E>(), ", ")), "");
    }
    value = *named;
  };
  return app.add_option_function<std::string>(name, take, help)
      ->type_name(fmt::format("{}", fmt::join(names_of<E>(), "|")))
      ->default_str(name_of(value));
}

/// The number that a whole text is; an error of the command line that says what is allowed.
template <class N>
N number_between(const std::string& name, const std::string& given, N least, N most) {
  N out{};
  const char* end = given.data() + given.size();
  const auto [stop, error] = std::from_chars(given.data(), end, out);
  // Negated, so that NaN fails too.
  if (error != std::errc{} || stop != end || !(out >= least && out <= most)) {
    throw CLI::ValidationError(
        name + " " + given,
        fmt::format("must be a {}number from {} to {}", std::integral<N> ? "whole " : "", least, most));
  }
  return out;
}

/// Adds an option whose value is a number from `least` to `most`; the help shows it as `symbol`.
template <class N>
CLI::Option* add_number(CLI::App& app, const std::string& name, const std::string& symbol, N& value,
                        std::type_identity_t<N> least, std::type_identity_t<N> most,
                        const std::string& help) {
  const auto take = [&value, least, most, name](const std::string& given) {
    value = number_between<N>(name, given, least, most);
  };
  return app.add_option_function<std::string>(name, take, help)
      ->type_name(symbol)
      ->default_str(fmt::format("{}", value));
}

/// The same for a number that need not be given.
template <class N>
CLI::Option* add_number(CLI::App& app, const std::string& name, const std::string& symbol,
                        std::optional<N>& value, std::type_identity_t<N> least, std::type_identity_t<N> most,
                        const std::string& help) {
  const auto take = [&value, least, most, name](const std::string& given) {
    value = number_between<N>(name, given, least, most);
  };
  return app.add_option_function<std::string>(name, take, help)->type_name(symbol);
}

/// Adds options of the table to a command: those in `names`, or all. What the user gives goes into
/// `settings`, and the names of what was given into `given`, where that is wanted.
void add_settings_options(CLI::App& command, Settings& settings, std::set<std::string>* given = nullptr,
                          const std::set<std::string>& names = {});

/// Adds --threads.
CLI::Option* add_threads(CLI::App& command, int& threads);

/// Adds --data-dir: the folder in which data sets are searched; `folder` is what the library takes.
void add_data_dir(CLI::App& command, std::string& data_dir);
std::optional<std::filesystem::path> folder(const std::string& data_dir);

/// Adds --output for a file to write, or - for standard output.
CLI::Option* add_output(CLI::App& command, std::string& output, const std::string& help);

/// Throws an InputError if `file`, the value of `option`, cannot be written, so that a command fails before
/// its work and not after it. "" and "-" are not files. `input` is a file that the command reads and must not
/// replace.
void check_output(const std::string& option, const std::string& file, const std::string& input = "");

/// The same for --store, which may also be the address of a server.
void check_store(const std::string& store, const std::string& input = "");

/// Writes the file, or prints where it is "-".
void write_output(const std::string& file, const std::string& bytes);

/// The command line's way to spell an option: `--batch-size`, `--scheme inter`; a switch that is on has no
/// value.
std::string command_line_spelling(std::string_view name, std::string_view value);

}  // namespace gdkm::cli
