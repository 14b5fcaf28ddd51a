#pragma once

#include <string>
#include <string_view>

namespace gdkm::cli {

/// The command line's way to spell an option: `--batch-size`, `--scheme inter`; a switch that is on has no
/// value.
std::string command_line_spelling(std::string_view name, std::string_view value);

}  // namespace gdkm::cli
