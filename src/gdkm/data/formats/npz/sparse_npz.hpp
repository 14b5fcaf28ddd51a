#pragma once

#include <filesystem>
#include <vector>

#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// The undirected edges of a square adjacency matrix that scipy.sparse.save_npz wrote, in COO or CSR form,
/// with one row per node. Of a symmetric matrix the upper triangle with its diagonal; of another, every
/// entry.
std::vector<Edge> read_sparse_npz_edges(const std::filesystem::path& path, Index nodes);

}  // namespace gdkm
