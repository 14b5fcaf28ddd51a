#pragma once

#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Whether the two text files of Geom-GCN are there.
bool looks_like_geom_gcn(const FileTree& files);

/// Reads the text files of Geom-GCN, plain or gzipped: `out1_graph_edges.txt` (directed edges, kept in order
/// and with self-loops) and `out1_node_feature_label.txt` (node, features, class; nodes in any order). Each
/// has a header line. Features are numbers with commas between; for the set "film" alone, the positions of
/// ones. Its mask files are the split set "public".
Dataset read_geom_gcn(const FileTree& files, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
