#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gdkm::cli {

/// A command line that could not be understood, in one line: what is wrong, what may have been meant, and
/// whose --help to read.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace gdkm::cli
