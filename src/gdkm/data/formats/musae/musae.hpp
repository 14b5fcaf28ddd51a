#pragma once

#include <optional>
#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// The X of a pair of files X_edges.csv and X_target.csv.
std::optional<std::string> musae_prefix(const FileTree& files);
/// Whether the folder has such a pair of files.
bool is_musae(const FileTree& files, const std::string& name = {});

/// Reads a graph of the MUSAE collection, such as the Facebook pages: X_edges.csv (undirected, one header
/// line), X.json or X_features.json (which maps each node number to the list of its features), and
/// X_target.csv (one header line; the first column has the node numbers 0..n−1 in any order, the last the
/// class as text). Classes are sorted. No splits are published; "public" has ten 60/20/20 splits drawn by
/// `numpy_random_splits`.
Dataset read_musae(const FileTree& files, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
