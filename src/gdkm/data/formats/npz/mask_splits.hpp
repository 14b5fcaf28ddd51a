#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Splits stored as masks: one 0 or 1 per node for each of train, val and test. Parts must be disjoint and
/// contain labelled nodes only; the training part must not be empty. Anything else is an InputError.

/// The split sets of an npz file: three boolean masks each, [splits, n] or [n].
std::map<std::string, std::vector<Split>> read_graph_npz_splits(const NpzReader& archive,
                                                                const std::vector<std::int32_t>& label);

void write_graph_npz_splits(const std::map<std::string, std::vector<Split>>& sets, Index nodes,
                            NpzWriter& archive);

/// Adds the splits of `train_mask`, `val_mask` and `test_mask`, each [n] or [n, splits] as in PyTorch
/// Geometric, as the set "public". A single column is used for all splits; a missing val_mask or test_mask is
/// empty.
void read_pyg_masks(const NpzReader& archive, Dataset& dataset);

}  // namespace gdkm
