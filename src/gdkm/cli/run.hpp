#pragma once

#include <string>
#include <vector>

#include "gdkm/cli/invocation.hpp"
#include "gdkm/data/files/download.hpp"

namespace gdkm::cli {

/// Executes a command of gdkm and returns its exit status. `words` are those of the command line; the first
/// is the program's name, as messages show it. Results go to standard output, messages to standard error.
/// Errors become messages and statuses; nothing is thrown. Signal handlers are those of before when it
/// returns. `get` makes requests in place of libcurl.
int run_command_line(const std::vector<std::string>& words, const Invocation& self, const HttpGet& get = {});

}  // namespace gdkm::cli
