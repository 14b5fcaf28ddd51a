#pragma once

#include <optional>
#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// DS, where there is a file DS_A.txt: the name that a set of graphs in the TU text format gives itself.
std::optional<std::string> tu_name(const FileTree& files);

/// Reads graphs in the TU text format: DS_A.txt, DS_graph_indicator.txt, and what there is of classes
/// (DS_graph_labels.txt), of node labels and attributes (see read_tu_features) and of folds (see
/// read_tu_splits). DS is `name` where such files are there, else what tu_name finds. Classes are the graph
/// labels in ascending order, with `?` for a graph that has none; edges stay as given. Edge labels and
/// attributes are not read: no model here uses them.
Dataset read_tu(const FileTree& files, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
