#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "gdkm/dataset/preprocessing.hpp"

namespace gdkm::cli {

/// Adds --data-dir: the folder in which data sets are searched.
void add_data_dir(CLI::App& command, std::string& data_dir);

std::optional<std::filesystem::path> folder(const std::string& data_dir);

/// In words, for people.
std::string describe(const Preprocessing& preprocessing);

}  // namespace gdkm::cli
