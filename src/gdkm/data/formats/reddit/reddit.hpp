#pragma once

#include <filesystem>
#include <string>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// Whether the folder has reddit_data.npz and reddit_graph.npz.
bool looks_like_reddit(const std::filesystem::path& folder);

/// Reads the Reddit posts in the form of the Deep Graph Library: reddit_data.npz (`feature`, `label`,
/// `node_types`: 1 trains, 2 validates, 3 tests) and reddit_graph.npz, a SciPy sparse matrix in COO (`row`,
/// `col`) or CSR form (`indices`, `indptr`), with `shape`. `node_ids` and the values of the matrix, all 1,
/// are not read. The matrix has each edge in both directions, of which one is kept; where it is not
/// symmetric, all edges are.
Dataset read_reddit(const std::filesystem::path& folder, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
