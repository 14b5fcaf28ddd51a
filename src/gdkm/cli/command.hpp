#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gdkm/cli/invocation.hpp"
#include "gdkm/cli/launched_ranks.hpp"
#include "gdkm/data/files/download.hpp"
#include "gdkm/support/interrupt.hpp"

namespace gdkm::cli {

/// Each command adds itself, with its options, help and examples, to the program; what it does runs after
/// parsing. `command_line` is what an interrupted training tells the user to repeat, `self` what workers are
/// started as, `ranks` what mpirun has started.
void add_train(CLI::App& app, const std::string& command_line, LaunchedRanks& ranks);
void add_predict(CLI::App& app, LaunchedRanks& ranks);
void add_embed(CLI::App& app);
void add_inspect(CLI::App& app);
void add_data(CLI::App& app, const HttpGet& get);
void add_demo(CLI::App& app);
void add_sweep(CLI::App& app, const std::string& command_line, const Invocation& self);
void add_worker(CLI::App& app, const std::string& command_line, const Invocation& self);
void add_serve(CLI::App& app);
void add_tune(CLI::App& app, const std::string& command_line, const Invocation& self);
void add_runs(CLI::App& app);
void add_report(CLI::App& app);
void add_figure(CLI::App& app);
void add_table(CLI::App& app);
/// gdkm help, gdkm completion and gdkm man.
void add_help(CLI::App& app);

/// Subcommands of gdkm data.
void add_data_info(CLI::App& data);
void add_data_fetch(CLI::App& data, const HttpGet& get);
void add_data_import(CLI::App& data);
void add_data_export(CLI::App& data);
void add_data_partition(CLI::App& data);

/// One line about a command line that cannot be parsed: what is wrong, what may have been meant, and which
/// --help to read.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

/// A remark for the user, on standard error: something may be wrong, or is worth knowing.
void warn(std::string_view message);
void note(std::string_view message);

/// Throws when what was printed did not reach standard output (a full disk).
void flush_results();

/// `word` as a shell takes it: quoted where it must be.
std::string shell_word(std::string_view word);

/// A signal stopped the command; the message says how to go on. Exit status 130 after Ctrl-C (SIGINT), 143
/// after SIGTERM.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(const std::string& message)
      : std::runtime_error(message), status_(128 + InterruptGuard::signal()) {}

  int status() const { return status_; }

 private:
  int status_;
};

/// The command failed, but neither through its input nor numerically. Exit status 1.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gdkm::cli
