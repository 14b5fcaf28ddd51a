#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The forms in which data sets are published, or kept here.
enum class Format { npz, pyg_npz, planetoid, geom_gcn, attributed_mat, facebook100, musae, tu, ogb, reddit };

/// In words, for people.
std::string title_of(Format format);

/// A data set on disk: what is to be read, and how.
struct FoundFormat {
  Format format;
  std::filesystem::path path;  // a file, a folder, or an archive
};

/// What a file or folder holds, judged by the names of its files and arrays; nothing where it is no data set
/// that can be read as it is. A folder's own `<name>.npz` comes before the published files beside it, since
/// it is faster to read, and an archive in the folder comes last.
std::optional<FoundFormat> recognise(const std::filesystem::path& path, const std::string& name);

/// Reads it; `name` is the data set's, which some formats have in the names of their files.
Dataset read(const FoundFormat& found, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
