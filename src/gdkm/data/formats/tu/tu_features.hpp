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
  std::vector<std::int32_t> kind;  // per node: the place of its label among those that occur, or empty
};

/// Node features of a set of graphs in the TU text format: DS_node_labels.txt as one-hots (the values of a
/// column of labels in ascending order, one column after another), then DS_node_attributes.txt as it stands.
/// Where neither is there, the one-hot of the degree (see make_features). A single column of labels also is
/// the kind of the nodes.
/// Which values the one-hots stand for is in the columns.
TuFeatures read_tu_features(const FileTree& files, const std::string& prefix, const Graph& graph,
                            ThreadPool& pool);

}  // namespace gdkm
