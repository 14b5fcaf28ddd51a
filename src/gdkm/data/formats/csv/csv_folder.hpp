#pragma once

#include <filesystem>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Writes the files of csv_files to a new folder, all or nothing. An existing folder is refused unless it is
/// empty, or `replace` is set and it contains only an earlier export.
void write_csv_folder(const Dataset& dataset, const std::filesystem::path& folder, bool replace);

}  // namespace gdkm
