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
/// "public": ten-fold cross-validation. Split k tests on fold k, validates on fold k + 1 (fold 0 after the
/// last) and trains on the rest; graphs without a class are in no split. The fold of each graph is in
/// DS_folds10.txt (−1: always training), else in 10fold_idx/test_idx-1.txt .. test_idx-10.txt, and else is
/// made by `stratified_folds`; of fewer than ten graphs each is a fold, and fewer than three have no splits.
///
/// "errica": the ten splits of the fair comparison of Errica et al., where DS_splits.json or
/// DS_full_splits.json is there.
std::map<std::string, std::vector<Split>> read_tu_splits(const FileTree& files, const std::string& prefix,
                                                         const std::vector<std::int32_t>& label,
                                                         ThreadPool& pool);

/// A fold for each graph that has a class, and −1 for the others: the graphs of each class, in ascending
/// order of the classes, are permuted by one NumPy RandomState(0) and dealt out to the folds in turn, the
/// turn going on from class to class.
std::vector<std::int32_t> stratified_folds(const std::vector<std::int32_t>& label, int folds);

}  // namespace gdkm
