#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gdkm::cli {

/// Each command adds itself, with its options, help and examples, to the program; what it does runs after
/// parsing. `command_line` is what an interrupted training tells the user to repeat.
void add_train(CLI::App& app, const std::string& command_line);
void add_predict(CLI::App& app);
void add_inspect(CLI::App& app);
void add_data(CLI::App& app);
void add_demo(CLI::App& app);
void add_sweep(CLI::App& app, const std::string& command_line);
void add_runs(CLI::App& app);
void add_report(CLI::App& app);
void add_figure(CLI::App& app);
void add_table(CLI::App& app);

/// A remark for the user, on standard error.
void warn(std::string_view message);

/// Throws when what was printed did not reach standard output (a full disk).
void flush_results();

/// `word` as a shell takes it: quoted where it must be.
std::string shell_word(std::string_view word);

}  // namespace gdkm::cli
