#include "verdict.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

namespace gdkm::fuzzing {
namespace {

void require(bool holds, const char* what, const std::string& instance = "") {
  if (!holds) throw std::logic_error(std::string("does not hold: ") + what + " " + instance);
}

void check_matrix(const Csr& matrix) {
  require(matrix.rows >= 0 && matrix.row_start.size() == static_cast<std::size_t>(matrix.rows) + 1,
          "a sparse matrix has a start per row and an end");
  require(matrix.col.size() == matrix.value.size(), "a sparse matrix has as many columns as values");
  require(matrix.row_start.front() == 0 && matrix.row_start.back() == matrix.nonzeros(),
          "the rows of a sparse matrix are all of its entries");
  require(std::is_sorted(matrix.row_start.begin(), matrix.row_start.end()), "row starts never fall");
  for (Index row = 0; row < matrix.rows; ++row) {
    std::int64_t last = -1;
    for (Index k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
      require(matrix.col[k] > last && matrix.col[k] < matrix.cols, "columns ascend within the matrix");
      last = matrix.col[k];
      require(std::isfinite(matrix.value[k]) && matrix.value[k] != 0, "entries are finite and not zero");
    }
  }
}

}  // namespace

void check_message(const std::string& message) {
  require(!message.empty(), "an error has a message");
  require(message.find_first_of("\n\r") == std::string::npos, "a message has one line", message);
}

void check(const Graph& graph) {
  require(graph.nodes >= 1 && graph.nodes <= std::numeric_limits<std::int32_t>::max(), "there are nodes");
  for (const auto& [from, to] : graph.edges) {
    require(from >= 0 && from < graph.nodes && to >= 0 && to < graph.nodes, "edges join nodes");
  }
  require(graph.weight.empty() || graph.weight.size() == graph.edges.size(), "each edge has a weight");
  for (const float weight : graph.weight) {
    require(std::isfinite(weight) && weight > 0, "weights are positive");
  }
  require(graph.type_names.empty() ? graph.type.empty() : graph.type.size() == graph.edges.size(),
          "each edge has a type where there are types");
  for (const auto type : graph.type) require(type >= 0 && type < graph.types(), "types have names");
}

void check(const Features& features, Index nodes) {
  require(features.rows == nodes, "each node has a row of features");
  require(features.cols >= 1 && features.cols <= std::numeric_limits<std::int32_t>::max(),
          "there are features");
  if (features.is_sparse) {
    require(features.dense.empty(), "sparse features are not dense, too");
    require(features.sparse.rows == features.rows && features.sparse.cols == features.cols,
            "sparse features have the shape that is said");
    return check_matrix(features.sparse);
  }
  require(features.dense.size() == static_cast<std::size_t>(features.rows * features.cols),
          "dense features have the shape that is said");
  for (const float value : features.dense) require(std::isfinite(value), "features are finite");
}

namespace {

void check_targets(const Dataset& dataset) {
  const auto width = static_cast<std::size_t>(dataset.targets);
  require(dataset.targets >= 0 && dataset.target.size() == dataset.label.size() * width,
          "each item has its targets");
  for (std::size_t k = 0; k < dataset.target.size(); ++k) {
    require(dataset.label[k / width] == -1 || std::isfinite(dataset.target[k]), "known targets are finite");
  }
}

void check_columns(const FeatureColumns& columns, const Features& features) {
  if (columns.kind == FeatureColumns::Kind::unknown) return;
  require(width_of(columns.table) + columns.one_hots() + columns.attributes == features.cols,
          "each column has a meaning");
  for (const auto& list : columns.values) {
    require(std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end(),
            "the values of one-hots ascend");
  }
}

}  // namespace

void check(const Split& split, const std::vector<std::int32_t>& label) {
  require(!split.train.empty(), "there is something to train on");
  std::vector<bool> seen(label.size(), false);
  for (const auto* part : {&split.train, &split.val, &split.test}) {
    std::int64_t last = -1;
    for (const auto item : *part) {
      require(item > last && static_cast<std::size_t>(item) < label.size(), "the items of a part ascend");
      last = item;
      require(!seen[item], "the parts of a split are disjoint");
      seen[item] = true;
      require(label[item] >= 0, "what is in a split has a label");
    }
  }
}

void check(const Dataset& dataset) {
  check(dataset.graph);
  const Index nodes = dataset.graph.nodes;
  check(dataset.features, nodes);
  check_columns(dataset.columns, dataset.features);
  const int classes = dataset.is_regression() ? 1 : dataset.classes;
  for (const auto label : dataset.label)
    require(label >= -1 && label < classes, "labels are among the classes");
  check_targets(dataset);
  require(dataset.class_names.empty() || static_cast<int>(dataset.class_names.size()) == dataset.classes,
          "each class has a name");
  require(dataset.node_names.empty() || static_cast<Index>(dataset.node_names.size()) == nodes,
          "each node has a name");
  if (dataset.task == Task::node) {
    require(dataset.items() == nodes, "each node has a label");
    require(dataset.graph_start.empty() && dataset.node_kind.empty(), "one graph has no starts and kinds");
  } else {
    const auto& start = dataset.graph_start;
    require(start.size() == dataset.label.size() + 1, "each graph has a label and a start");
    require(start.front() == 0 && start.back() == nodes, "the graphs hold all nodes");
    require(std::is_sorted(start.begin(), start.end()), "starts never fall");
    require(dataset.node_kind.empty() || static_cast<Index>(dataset.node_kind.size()) == nodes,
            "each node has a kind");
    for (const auto kind : dataset.node_kind) require(kind >= 0, "kinds are numbered from 0");
  }
  for (const auto& [name, splits] : dataset.splits) {
    require(!name.empty() && !splits.empty(), "a set of splits has a name and a split");
    for (const Split& split : splits) check(split, dataset.label);
  }
}

}  // namespace gdkm::fuzzing
