#pragma once

#include <filesystem>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Writes a data set as csv_files has it to a new folder, whole or not at all. A folder that is there is
/// refused unless it is empty, or `replace` is set and it holds nothing but an earlier export.
void write_csv_folder(const Dataset& dataset, const std::filesystem::path& folder, bool replace);

}  // namespace gdkm
