#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

struct SplitSetSummary {
  std::string name;
  Index splits = 0;
  Index train = 0, val = 0, test = 0;  // sizes in the first split
  bool same_sizes = true;              // in all splits
};

/// What a data set holds, in numbers. Edges are unordered pairs of distinct nodes, counted once; where their
/// direction is kept, ordered pairs.
struct DatasetSummary {
  std::string name;
  Task task = Task::node;
  Index graphs = 0;                                // of a graph task
  Index graph_nodes_min = 0, graph_nodes_max = 0;  // of the smallest and the largest graph
  Index nodes = 0, edges = 0, features = 0;
  Index edge_rows = 0, self_loops = 0;  // as the data has them
  bool directed = false;                // the matrix that models see
  bool sparse_features = false;
  double feature_density = 0;  // fraction of feature values that are not 0
  Index zero_feature_rows = 0;
  int classes = 0, targets = 0;  // targets: numbers to predict, of regression
  std::vector<Index> class_count;
  Index unlabelled = 0;
  double homophily = 0;  // NaN where no edge has two labelled ends; of a graph task, of the kinds of nodes
  Index isolated = 0;    // nodes without a neighbour
  Index degree_min = 0, degree_max = 0;
  double degree_median = 0, degree_mean = 0;
  bool weighted = false;
  std::vector<SplitSetSummary> split_sets;
};

/// `how` decides what counts as an edge.
DatasetSummary summarise(const Dataset& dataset, const AdjacencyOptions& how = {});

}  // namespace gdkm
