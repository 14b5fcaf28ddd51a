#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gdkm/dataset/feature_columns.hpp"
#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// What has a class: every node of one graph, or every one of many graphs.
enum class Task { node, graph };

/// Which items (nodes, or graphs) train, select and test; ascending numbers, disjoint.
struct Split {
  std::vector<std::int32_t> train, val, test;
};

/// Nodes or graphs with features, classes and splits, as published: nothing is normalised or symmetrised yet.
struct Dataset {
  std::string name;
  std::string source;  // what it was loaded by (a path, a generator, a name); empty where that is its name
  Task task = Task::node;
  Graph graph;  // of a graph task: all graphs side by side, as one graph of many components
  /// Of a graph task: graph g owns the nodes graph_start[g] .. graph_start[g+1]; empty otherwise.
  std::vector<std::int32_t> graph_start;
  /// Of a graph task: the kind of each node (its element, in a molecule), or empty where it has none.
  std::vector<std::int32_t> node_kind;
  Features features;                // one row per node
  FeatureColumns columns;           // what the features are made of, where the format knows it
  std::vector<std::int32_t> label;  // per item: class 0..classes−1, or −1 where there is none
  int classes = 0;
  /// Of regression: items × targets real numbers (row-major). `label` is then 0 where they are known, else
  /// −1.
  std::vector<float> target;
  int targets = 0;
  std::vector<std::string> class_names;              // one per class, or empty where classes are mere numbers
  std::vector<std::string> node_names;               // one per node, or empty where nodes are mere numbers
  std::map<std::string, std::vector<Split>> splits;  // by set: "public", "geom"

  const std::string& loaded_by() const { return source.empty() ? name : source; }
  bool is_regression() const { return targets > 0; }
  /// Nodes or graphs, whichever have the classes.
  Index items() const { return static_cast<Index>(label.size()); }
};

}  // namespace gdkm
