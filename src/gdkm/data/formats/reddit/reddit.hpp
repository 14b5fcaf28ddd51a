#pragma once

#include <filesystem>
#include <string>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// Whether the folder has reddit_data.npz and reddit_graph.npz.
bool is_reddit(const FileTree& files, const std::string& name = {});

/// Reads the Reddit posts as the Deep Graph Library publishes them: reddit_data.npz (`feature`, `label`,
/// `node_types`: 1 trains, 2 validates, 3 tests) and reddit_graph.npz, a SciPy sparse matrix in COO (`row`,
/// `col`) or CSR form (`indices`, `indptr`) with `shape`. `node_ids` and the values of the matrix, which are
/// all 1, are not read. The published matrix has each edge in both directions, of which one is kept; from a
/// matrix that is not symmetric all edges are kept.
Dataset read_reddit(const std::filesystem::path& folder, const std::string& name, ThreadPool& pool);

}  // namespace gdkm
