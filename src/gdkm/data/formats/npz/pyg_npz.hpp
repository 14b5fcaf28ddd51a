#pragma once

#include <filesystem>
#include <optional>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Whether the archive has the arrays of PyTorch Geometric's `Data`: at least `edge_index`.
bool is_pyg_npz(const NpzReader& archive);

/// Reads `x` [n, d], `edge_index` [2, E], optionally `edge_weight` or `edge_attr` ([E] or [E, 1]), `y` ([n],
/// or one-hot [n, C]) and `train_mask`, `val_mask`, `test_mask` ([n] or [n, splits]). If every edge exists in
/// both directions with equal weights the graph is undirected, with each edge once; otherwise it is directed.
/// `directed` overrides this.
Dataset read_pyg_npz(const std::filesystem::path& path, std::optional<bool> directed = std::nullopt);

}  // namespace gdkm
