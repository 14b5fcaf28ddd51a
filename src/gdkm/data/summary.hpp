#pragma once

#include <string>
#include <vector>

#include "gdkm/data/dataset.hpp"

namespace gdkm {

struct SplitSetSummary {
  std::string name;
  Index splits = 0;
  Index train = 0, val = 0, test = 0;  // sizes in the first split
  bool same_sizes = true;              // in all splits
};

/// What a data set holds, in numbers. Edges are unordered pairs of distinct nodes, counted once.
struct DatasetSummary {
  std::string name;
  Index nodes = 0, edges = 0, features = 0;
  bool sparse_features = false;
  double feature_density = 0;  // fraction of feature values that are not 0
  Index zero_feature_rows = 0;
  int classes = 0;
  std::vector<Index> class_count;
  Index unlabelled = 0;
  double homophily = 0;  // NaN where no edge has two labelled ends
  Index isolated = 0;    // nodes without a neighbour
  Index degree_min = 0, degree_max = 0;
  double degree_median = 0, degree_mean = 0;
  bool weighted = false;
  std::vector<SplitSetSummary> split_sets;
};

DatasetSummary summarise(const Dataset& dataset);

}  // namespace gdkm
