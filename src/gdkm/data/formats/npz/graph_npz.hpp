#pragma once

#include <filesystem>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Whether the archive has at least one array of the npz layout.
bool is_graph_npz(const NpzReader& archive);

/// Reads one graph in the npz layout:
///   node_labels [n], or node_targets [n] or [n, k] for regression (NaN: unknown);
///   edges [E, 2] (undirected), or edges_directed, which is preferred and makes the graph directed;
///   edge_weights [E], edge_type [E], edge_type_names, class_names and node_names (optional);
///   node_features [n, d], or feat_data, feat_indices, feat_indptr and feat_shape (CSR);
///   feature_columns (optional): names and types of the columns of a table, as JSON;
///   train_masks, val_masks and test_masks: the split set "public". A prefix names another set:
///   geom_train_masks belongs to "geom".
/// Errors are InputErrors that name file, array, place and remedy.
Dataset read_graph_npz(const std::filesystem::path& path, ThreadPool& pool);
/// The same on one thread.
Dataset read_graph_npz(const std::filesystem::path& path);

/// Writes that layout atomically: each edge once (for each of its types) with u <= v, sorted, and for a
/// directed graph also the original edges. A data set of many graphs is an InputError.
void write_graph_npz(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace gdkm
