#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/format.hpp"

namespace gdkm {

/// Where data sets are looked for, in this order: `data_dir`, $GDKM_DATA, the user's cache folder. Those not
/// set are left out; those that do not exist are not.
std::vector<std::filesystem::path> data_folders(const std::optional<std::filesystem::path>& data_dir);

/// Where the data set of that name lies: <folder>/<name>/ in any format that is recognised, or
/// <folder>/<name>.npz. Names of the catalogue are blind to case.
std::optional<FoundFormat> find_dataset(const std::string& name,
                                        const std::optional<std::filesystem::path>& data_dir);

/// What `data` stands for: an existing file or folder, else a generator (`csbm:n=500`), else a name. Not
/// found is an InputError that lists where it looked, names that are near, and how to fetch it. 0 threads
/// means one per core.
Dataset load(const std::string& data, const std::optional<std::filesystem::path>& data_dir, int threads = 0);

struct FoundDataset {
  std::string name;
  FoundFormat found;
};

/// All data sets that `load` finds by name, sorted; of equal names the one it would take.
std::vector<FoundDataset> list_datasets(const std::optional<std::filesystem::path>& data_dir);

}  // namespace gdkm
