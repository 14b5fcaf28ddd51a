#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/dataset.hpp"

namespace gdkm {

struct FoundDataset {
  std::string name;
  std::filesystem::path path;
};

/// Where data sets are looked for, in this order: `data_dir`, $GDKM_DATA, the user's cache folder. Those not
/// set are left out; those that do not exist are not.
std::vector<std::filesystem::path> data_folders(const std::optional<std::filesystem::path>& data_dir);

/// The graph that `data` stands for: an existing file or folder, else a generator (`csbm:n=500`), else a
/// name, looked for as <folder>/<name>/<name>.npz (dashes may be underscores in the file) or
/// <folder>/<name>.npz. Not found is an InputError that lists where it looked and names that are near.
Dataset load(const std::string& data, const std::optional<std::filesystem::path>& data_dir);

/// All data sets in the neutral layout that `load` finds by name, sorted; of equal names the one it would
/// take.
std::vector<FoundDataset> list_datasets(const std::optional<std::filesystem::path>& data_dir);

}  // namespace gdkm
