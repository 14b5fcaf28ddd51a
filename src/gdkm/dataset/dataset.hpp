#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gdkm/dataset/feature_columns.hpp"
#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// What is classified: the nodes of one graph, or whole graphs.
enum class Task { node, graph };

/// The items (nodes or graphs) to train, validate and test on: ascending numbers, disjoint parts.
struct Split {
  std::vector<std::int32_t> train, val, test;
  std::vector<std::int32_t> conformal = {};  // kept apart from val, to calibrate prediction sets
};

/// A data set as published: neither normalised nor symmetrised.
struct Dataset {
  std::string name;
  std::string source;  // what it was loaded by (a path, a generator, a name); empty where that is its name
  Task task = Task::node;
  Graph graph;  // graph task: all graphs side by side, as one disconnected graph
  /// Graph task: graph g has the nodes graph_start[g] .. graph_start[g+1]; empty otherwise.
  std::vector<std::int32_t> graph_start;
  /// Graph task: the kind of each node (the element of an atom, for example); empty if unknown.
  std::vector<std::int32_t> node_kind;
  Features features;                // one row per node; see owner
  FeatureColumns columns;           // the meaning of the feature columns, if the format defines it
  std::vector<std::int32_t> label;  // per item: class 0..classes−1, or −1 for none
  int classes = 0;
  /// Regression: items × targets, row-major. `label` is then 0 where the targets are known, else −1.
  std::vector<float> target;
  int targets = 0;
  std::vector<std::string> class_names;              // one per class; empty if classes are just numbers
  std::vector<std::string> node_names;               // one per node; empty if nodes are just numbers
  std::map<std::string, std::vector<Split>> splits;  // by split set: "public", "geom"
  std::vector<std::string> remarks;                  // what its reader left out or assumed, a line each
  /// Where each of several ranks has read its own nodes alone: the rank of every node. `features` then has
  /// the rows of this rank's nodes, and `graph` the edges that one of them is an end of. All else is of all
  /// nodes.
  std::vector<std::int32_t> owner = {};
  std::string share_of = {};  // fingerprint of the whole data set, where this is a share of it

  const std::string& loaded_by() const { return source.empty() ? name : source; }
  bool is_regression() const { return targets > 0; }
  /// The number of nodes, or of graphs for a graph task.
  Index items() const { return static_cast<Index>(label.size()); }
};

/// All but edges and features, which nearly fill the memory of a rank that has a share of a large graph.
inline Dataset without_rows(Dataset dataset) {
  dataset.graph.edges.clear();
  dataset.graph.weight.clear();
  dataset.graph.type.clear();
  dataset.features = {};
  return dataset;
}

}  // namespace gdkm
