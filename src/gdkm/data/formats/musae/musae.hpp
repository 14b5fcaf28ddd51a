#pragma once

#include <optional>
#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// X, where there are files X_edges.csv and X_target.csv.
std::optional<std::string> musae_prefix(const FileTree& files);

/// Reads a graph in the form of the MUSAE collection, such as the Facebook pages: X_edges.csv (undirected,
/// one header line), X.json or X_features.json (see read_musae_features), and X_target.csv (one header line;
/// the first column numbers the nodes 0..n−1 in any order, the last is the class, as text). Classes are
/// sorted. No splits are published; "public" are ten of 60/20/20 % drawn as NumPy draws them.
Dataset read_musae(const FileTree& files, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
