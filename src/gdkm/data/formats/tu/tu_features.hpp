#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/data/files/file_tree.hpp"
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

}  // namespace gdkm
