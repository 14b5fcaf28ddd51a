#pragma once

#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Whether the folder has the two text files of Geom-GCN.
bool is_geom_gcn(const FileTree& files, const std::string& name = {});

/// Reads the text files of Geom-GCN, plain or gzipped: `out1_graph_edges.txt` (directed edges; order and
/// self-loops are kept) and `out1_node_feature_label.txt` (node, features, class; nodes in any order). Both
/// have a header line. Features are numbers separated by commas, except in the set "film", where they are the
/// positions of ones. The split files of Geom-GCN become the split set "public".
Dataset read_geom_gcn(const FileTree& files, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
