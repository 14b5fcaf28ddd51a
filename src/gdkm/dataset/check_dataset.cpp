#include "gdkm/dataset/check_dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

void check_count(std::size_t count, Index expected, const char* what, const char* of) {
  if (static_cast<Index>(count) != expected)
    refuse("{}: expected one for each {}, which are {}, got {}", what, of, expected, count);
}

}  // namespace

void check_graph(const Graph& graph) {
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    for (const auto node : {graph.edges[k].from, graph.edges[k].to}) {
      if (node < 0 || node >= graph.nodes)
        refuse("edge {}: node {} is not there; the graph has nodes 0 to {}", k, node, graph.nodes - 1);
    }
  }
  const auto edges = static_cast<Index>(graph.edges.size());
  if (!graph.weight.empty()) check_count(graph.weight.size(), edges, "edge weights", "edge");
  for (std::size_t k = 0; k < graph.weight.size(); ++k) {
    if (!(graph.weight[k] > 0) || !std::isfinite(graph.weight[k]))
      refuse("edge {}: the weight is {}; weights are finite and > 0", k, graph.weight[k]);
  }
  if (!graph.type.empty()) check_count(graph.type.size(), edges, "edge types", "edge");
  for (std::size_t k = 0; k < graph.type.size(); ++k) {
    if (graph.type[k] < 0 || graph.type[k] >= graph.types())
      refuse("edge {}: type {} is not there; types are 0 to {}", k, graph.type[k], graph.types() - 1);
  }
}

namespace {

[[noreturn]] void refuse_feature(Index node, Index column, double value) {
  refuse("features: node {}, column {} is {}; fill missing values first, or give a table", node, column,
         value);
}

void check_features(const Features& x, Index nodes) {
  if (x.rows != nodes) refuse("features: expected a row for each of {} nodes, got {} rows", nodes, x.rows);
  if (x.cols == 0) refuse("features: there are no columns; leave features out to have one column per node");
  if (!x.is_sparse) {
    for (std::size_t k = 0; k < x.dense.size(); ++k) {
      if (!std::isfinite(x.dense[k]))
        refuse_feature(static_cast<Index>(k) / x.cols, static_cast<Index>(k) % x.cols, x.dense[k]);
    }
    return;
  }
  for (Index r = 0; r < x.rows; ++r) {
    for (Index k = x.sparse.row_start[r]; k < x.sparse.row_start[r + 1]; ++k) {
      const auto column = x.sparse.col[k];
      if (column < 0 || column >= x.cols)
        refuse("features: node {} has column {}; columns are 0 to {}", r, column, x.cols - 1);
      if (k > x.sparse.row_start[r] && x.sparse.col[k - 1] >= column)
        refuse("features: columns of node {} are not ascending; sort them and add up repeated ones", r);
      if (!std::isfinite(x.sparse.value[k])) refuse_feature(r, column, x.sparse.value[k]);
    }
  }
}

void check_labels(const Dataset& dataset) {
  const Index items =
      dataset.task == Task::node ? dataset.graph.nodes : static_cast<Index>(dataset.graph_start.size()) - 1;
  const char* item = dataset.task == Task::node ? "node" : "graph";
  check_count(dataset.label.size(), items, "labels", item);
  for (std::size_t k = 0; k < dataset.label.size(); ++k) {
    const int most = dataset.is_regression() ? 1 : dataset.classes;
    if (dataset.label[k] < -1 || dataset.label[k] >= most)
      refuse("{} {}: class {} is not there; classes are 0 to {}, and -1 is unknown", item, k,
             dataset.label[k], most - 1);
  }
  if (dataset.is_regression())
    check_count(dataset.target.size(), items * dataset.targets, "targets", "item and target");
  if (!dataset.class_names.empty())
    check_count(dataset.class_names.size(), dataset.classes, "names of classes", "class");
}

void check_graph_starts(const Dataset& dataset) {
  if (dataset.task == Task::node) return;
  const auto& start = dataset.graph_start;
  if (start.size() < 2 || start.front() != 0 || start.back() != dataset.graph.nodes ||
      !std::is_sorted(start.begin(), start.end()))
    refuse("the first nodes of graphs must ascend from 0 to the number of nodes, {}", dataset.graph.nodes);
}

}  // namespace

void check_splits(const Dataset& dataset) {
  for (const auto& [name, splits] : dataset.splits) {
    for (std::size_t s = 0; s < splits.size(); ++s) {
      std::vector<char> used(dataset.label.size(), 0);
      for (const auto* part : {&splits[s].train, &splits[s].val, &splits[s].test}) {
        for (const auto item : *part) {
          if (item < 0 || item >= dataset.items())
            refuse("split {} of '{}' names item {}, and there are {}", s, name, item, dataset.items());
          if (used[static_cast<std::size_t>(item)]++)
            refuse("split {} of '{}' has item {} twice; the parts of a split are disjoint", s, name, item);
        }
      }
    }
  }
}

void check_dataset(const Dataset& dataset) {
  if (dataset.graph.nodes == 0) refuse("the graph has no nodes");
  check_graph(dataset.graph);
  check_graph_starts(dataset);
  check_features(dataset.features, dataset.graph.nodes);
  if (dataset.columns.width() > 0 && dataset.columns.width() != dataset.features.cols)
    refuse("the columns describe {} features, and there are {}", dataset.columns.width(),
           dataset.features.cols);
  if (!dataset.node_names.empty())
    check_count(dataset.node_names.size(), dataset.graph.nodes, "names of nodes", "node");
  check_labels(dataset);
  check_splits(dataset);
}

}  // namespace gdkm
