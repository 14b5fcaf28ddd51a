#pragma once

#include <string>

namespace gdkm::cli {

/// Throws an InputError if `file`, the value of `option`, cannot be written, so that a command fails before
/// its work and not after it. "" and "-" are not files. `input` is a file that the command reads and must not
/// replace.
void check_output(const std::string& option, const std::string& file, const std::string& input = "");

}  // namespace gdkm::cli
