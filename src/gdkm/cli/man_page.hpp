#pragma once

#include <string>

#include "gdkm/cli/command_tree.hpp"

namespace gdkm::cli {

/// The manual, gdkm(1), as roff: every command with its options and examples.
std::string man_page(const Command& top);

}  // namespace gdkm::cli
