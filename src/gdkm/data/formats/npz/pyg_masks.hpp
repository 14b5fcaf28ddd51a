#pragma once

#include "gdkm/data/files/npz.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Adds the splits of `train_mask`, `val_mask` and `test_mask`, each [n] or [n, splits] as in PyTorch
/// Geometric, as the set "public". A single column is used for all splits; a missing val_mask or test_mask is
/// empty.
void read_pyg_masks(const NpzReader& archive, Dataset& dataset);

}  // namespace gdkm
