#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gdkm::cli {

/// One line about a command line that cannot be parsed: what is wrong, what may have been meant, and which
/// --help to read.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace gdkm::cli
