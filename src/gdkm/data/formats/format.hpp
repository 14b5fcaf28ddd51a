#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The formats in which data sets are published or stored, and those in which people have their own graphs.
enum class Format {
  npz,
  pyg_npz,
  planetoid,
  geom_gcn,
  attributed_mat,
  facebook100,
  musae,
  tu,
  ogb,
  reddit,
  graphml,
  gml,
  gexf,
  node_link,
  pajek,
  edge_list,
  csv_folder,
  arrays,
  parts
};

/// The name of the format in messages.
std::string title_of(Format format);

/// A data set on disk and its format.
struct FoundFormat {
  Format format;
  std::filesystem::path path;  // a file, a folder, or an archive
};

/// Recognises the format of a file or folder by the names of its files and arrays; nothing where it is not a
/// data set that can be read directly. In a folder, `<name>.npz` comes first, since it is the fastest to
/// read, then the published files, then an archive, then edges.csv. A text that is nothing else is a list of
/// edges.
std::optional<FoundFormat> recognise(const std::filesystem::path& path, const std::string& name);

/// One of the processes that share a graph.
struct ReadingRank {
  int rank = 0, ranks = 1;
};

/// Reads the data set, or of a graph in parts what one of several ranks has. `name` is its name, which occurs
/// in the file names of some formats.
Dataset read(const FoundFormat& found, const std::string& name, ThreadPool& pool, ReadingRank rank = {});

}  // namespace gdkm
