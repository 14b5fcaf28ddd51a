#pragma once

#include <optional>
#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// The DS of a file DS_A.txt: the name in the file names of a TU data set.
std::optional<std::string> tu_name(const FileTree& files);
bool is_tu(const FileTree& files, const std::string& name = {});

/// Reads graphs in the TU text format: DS_A.txt, DS_graph_indicator.txt, and, if they exist, classes
/// (DS_graph_labels.txt), node labels and attributes (see read_tu_features) and folds (see read_tu_splits).
/// DS is `name` if such files exist, else the result of tu_name. Classes are the graph labels in ascending
/// order; `?` means none. Edges stay as given, with their labels (DS_edge_labels.txt) as types. Edge
/// attributes are not read, since no model uses them.
Dataset read_tu(const FileTree& files, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
