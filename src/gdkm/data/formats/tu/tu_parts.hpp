#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/dataset/dataset.hpp"
#include "gdkm/dataset/feature_columns.hpp"
#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

struct TuFeatures {
  Features features;
  FeatureColumns columns;
  std::vector<std::int32_t> kind;  // per node: the rank of its label; or empty
};

/// Node features in the TU text format: one-hots of DS_node_labels.txt (column by column, values ascending),
/// then DS_node_attributes.txt unchanged. With neither file, the one-hot of the degree (see
/// make_default_features). A single column of labels is also the kind of the nodes. `columns` says which
/// values the one-hots stand for.
TuFeatures read_tu_features(const FileTree& files, const std::string& prefix, const Graph& graph,
                            ThreadPool& pool);

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

}  // namespace gdkm
