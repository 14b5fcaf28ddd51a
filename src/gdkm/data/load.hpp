#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/format.hpp"

namespace gdkm {

/// The folders in which data sets are searched, in this order: `data_dir`, $GDKM_DATA, the user's cache
/// folder. Those not set are left out; those that do not exist are included.
std::vector<std::filesystem::path> data_folders(const std::optional<std::filesystem::path>& data_dir);

/// Finds a data set by name: <folder>/<name>/ in any known format, or <folder>/<name>.npz. The case of
/// catalogue names does not matter.
std::optional<FoundFormat> find_dataset(const std::string& name,
                                        const std::optional<std::filesystem::path>& data_dir);

/// Loads `data`: an existing file or folder, else a generator (`csbm:n=500`), else a name. If it is not
/// found, the InputError lists the searched folders, similar names, and how to fetch it. 0 threads means one
/// per core. Of a graph in parts, one of several ranks loads its share.
Dataset load(const std::string& data, const std::optional<std::filesystem::path>& data_dir, int threads = 0,
             ReadingRank rank = {});

/// The same for a model with these columns: a table whose types have to be guessed gets the model's, so that
/// a few rows are read as many were. Values that the model does not know stay, to be named.
Dataset load(const std::string& data, const std::optional<std::filesystem::path>& data_dir, int threads,
             const FeatureColumns& columns, ReadingRank rank = {});

struct FoundDataset {
  std::string name;
  FoundFormat found;
};

/// All data sets that `load` finds by name, sorted. For equal names, the one that it would load.
std::vector<FoundDataset> list_datasets(const std::optional<std::filesystem::path>& data_dir);

}  // namespace gdkm
