#pragma once

#include <filesystem>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Reads a node-classification graph in the npz layout: `node_labels`, `edges` (undirected), optional
/// `edge_weights`, features dense (`node_features`) or CSR (`feat_*`), and the split sets: `train_masks`,
/// `val_masks`, `test_masks` are "public", those with a prefix (`geom_train_masks`) bear its name ("geom").
/// In place of `node_labels` there may be `node_targets`: real numbers to predict, [n] or [n, k], NaN where
/// they are not known. A file without masks gives no splits. Where `edges_directed` is there it is read in
/// place of `edges`, and the graph is directed; `class_names` and `node_names` are optional strings. Anything
/// amiss is an InputError naming file, array, place and remedy.
Dataset read_graph_npz(const std::filesystem::path& path, ThreadPool& pool);
/// The same on one thread.
Dataset read_graph_npz(const std::filesystem::path& path);

/// Writes that layout, atomically: each edge once with u <= v, sorted; of a directed graph the edges as they
/// are, too. An InputError where the data set holds many graphs.
void write_graph_npz(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace gdkm
