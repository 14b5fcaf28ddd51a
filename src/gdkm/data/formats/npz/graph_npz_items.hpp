#pragma once

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// What an npz file says of nodes, apart from edges and features. Errors are InputErrors.

/// Their number, and labels or targets.
void read_graph_npz_labels(const NpzReader& archive, Dataset& out);
/// Splits, and names of classes and nodes, for a data set that has its labels.
void read_graph_npz_splits_and_names(const NpzReader& archive, Dataset& out);
/// All of these, and what the columns of features are.
void write_graph_npz_items(const Dataset& dataset, NpzWriter& archive);

/// What so many columns of features are, if the file says so.
FeatureColumns read_graph_npz_columns(const NpzReader& archive, Index features);

}  // namespace gdkm
