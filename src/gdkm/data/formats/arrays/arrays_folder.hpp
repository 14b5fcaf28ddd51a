#pragma once

#include <filesystem>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/parts/partition_source.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// A folder of .npy files, which may be larger than the memory:
///   edges.npy [E, 2], undirected, or edges_directed.npy; features.npy [n, d];
///   labels.npy [n]: classes 0..C−1, −1 for none;
///   train.npy, val.npy, test.npy (optional): numbers of nodes, a split.
/// Errors are InputErrors that name the file and say what to do.
bool is_arrays_folder(const FileTree& files, const std::string& name);

Dataset read_arrays_folder(const FileTree& files, const std::string& name, ThreadPool& pool);

/// The same without holding edges or features in memory: edges and features are read as often as they are
/// asked for.
PartitionSource stream_arrays_folder(const std::filesystem::path& folder, const std::string& name);

/// Writes such a folder. A data set of many graphs, with sparse features, weights or types of edges, or with
/// targets is an InputError. An existing folder is one, too.
void write_arrays_folder(const Dataset& dataset, const std::filesystem::path& folder);

}  // namespace gdkm
