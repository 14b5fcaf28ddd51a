#pragma once

#include <string>

#include "gdkm/cli/command_tree.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm::cli {

enum class Shell { bash, zsh, fish };

}  // namespace gdkm::cli

template <>
struct gdkm::EnumNames<gdkm::cli::Shell> {
  static constexpr std::string_view names[] = {"bash", "zsh", "fish"};
};

namespace gdkm::cli {

/// A script by which a shell completes commands, options, their values, names of data sets and files.
std::string completion_script(Shell shell, const Command& top);

}  // namespace gdkm::cli
