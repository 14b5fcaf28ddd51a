#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// The split sets of graphs in the TU text format.
///
/// "public": ten-fold cross-validation. Split k tests on fold k, validates on fold k + 1 (after the last
/// fold, fold 0) and trains on the rest; graphs without a class are in no split. The fold of each graph is
/// read from DS_folds10.txt (−1: always training), else from 10fold_idx/test_idx-1.txt .. test_idx-10.txt,
/// else drawn by `stratified_folds`. With fewer than ten graphs each is a fold; fewer than three have no
/// splits.
///
/// "errica": the ten splits of Errica et al., if DS_splits.json or DS_full_splits.json exists.
std::map<std::string, std::vector<Split>> read_tu_splits(const FileTree& files, const std::string& prefix,
                                                         const std::vector<std::int32_t>& label,
                                                         ThreadPool& pool);

/// A fold for each graph with a class, −1 for the others. The graphs of each class, in ascending order of the
/// classes, are permuted by one NumPy RandomState(0) and dealt to the folds in turn; the turn continues from
/// class to class.
std::vector<std::int32_t> stratified_folds(const std::vector<std::int32_t>& label, int folds);

}  // namespace gdkm
