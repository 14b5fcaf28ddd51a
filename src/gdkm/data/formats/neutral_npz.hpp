#pragma once

#include <filesystem>

#include "gdkm/data/dataset.hpp"

namespace gdkm {

/// Reads a node-classification graph in the neutral layout: `node_labels`, `edges` (undirected), optional
/// `edge_weights`, features dense (`node_features`) or CSR (`feat_*`), and the split sets: `train_masks`,
/// `val_masks`, `test_masks` are "public", those with a prefix (`geom_train_masks`) bear its name ("geom").
/// A file without masks gives no splits. Anything amiss is an InputError naming file, array, place and
/// remedy.
Dataset read_neutral_npz(const std::filesystem::path& path);

/// Writes that layout, atomically: each edge once with u < v, sorted, no self-loops.
void write_neutral_npz(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace gdkm
