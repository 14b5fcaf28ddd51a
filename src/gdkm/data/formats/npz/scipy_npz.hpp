#pragma once

#include <filesystem>
#include <vector>

#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// The undirected edges of a square adjacency matrix written by scipy.sparse.save_npz, in COO or CSR form,
/// with one row per node. From a symmetric matrix the upper triangle with the diagonal, from any other matrix
/// every entry.
std::vector<Edge> read_scipy_edges(const std::filesystem::path& path, Index nodes);

}  // namespace gdkm
