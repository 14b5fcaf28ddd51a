#pragma once

#include <string>

namespace gdkm::cli {

/// Whether `file`, the value of `option`, can be written, asked before the work and not after it; "" and "-"
/// are no files. An InputError says why not. `input` is what the command reads: a slip must not replace it.
void check_output(const std::string& option, const std::string& file, const std::string& input = "");

}  // namespace gdkm::cli
