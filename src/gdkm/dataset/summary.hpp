#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

struct SplitSetSummary {
  std::string name;
  Index splits = 0;
  Index train = 0, val = 0, test = 0;  // sizes in the first split
  bool same_sizes = true;              // in all splits
};

/// The numbers that describe a data set. Edges are unordered pairs of distinct nodes, or ordered pairs if
/// direction is kept.
struct DatasetSummary {
  std::string name;
  Task task = Task::node;
  Index graphs = 0;                                // graph task only
  Index graph_nodes_min = 0, graph_nodes_max = 0;  // nodes of the smallest and the largest graph
  Index nodes = 0, edges = 0, features = 0;
  Index edge_rows = 0, self_loops = 0;  // as stored
  bool directed = false;                // the adjacency matrix used by models
  bool sparse_features = false;
  double feature_density = 0;  // fraction of nonzero values
  Index zero_feature_rows = 0;
  int classes = 0, targets = 0;  // targets: numbers to predict (regression)
  std::vector<Index> class_count;
  Index unlabelled = 0;
  double homophily = 0;  // NaN if no edge has two labelled ends; graph task: of the node kinds
  Index isolated = 0;    // nodes without neighbours
  Index degree_min = 0, degree_max = 0;
  double degree_median = 0, degree_mean = 0;
  bool weighted = false;
  std::vector<std::pair<std::string, Index>> edge_types;  // name and number of edges of each type
  std::vector<SplitSetSummary> split_sets;
};

/// `how` decides what counts as an edge.
DatasetSummary summarise(const Dataset& dataset, const AdjacencyOptions& how = {});

}  // namespace gdkm
