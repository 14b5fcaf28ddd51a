#include "gdkm/data/formats/shared/default_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr Index most_degrees = 1000;
constexpr Index most_identities = 20'000;

/// A matrix with one 1 in each row.
Features one_hot(const std::vector<std::int32_t>& column, Index cols) {
  std::vector<Index> start(column.size() + 1);
  std::iota(start.begin(), start.end(), Index{0});
  return sparse_features({static_cast<Index>(column.size()), cols, std::move(start), column,
                          std::vector<double>(column.size(), 1.0)});
}

}  // namespace

Features make_default_features(const Graph& graph, DefaultFeatures kind) {
  const auto nodes = static_cast<std::size_t>(graph.nodes);
  if (kind == DefaultFeatures::ones) {
    return {graph.nodes, 1, false, {}, std::vector<float>(nodes, 1.0f)};
  }
  std::vector<std::int32_t> column(nodes);
  if (kind == DefaultFeatures::identity) {
    std::iota(column.begin(), column.end(), 0);
    return one_hot(column, graph.nodes);
  }
  const Csr a = adjacency(graph);
  std::int32_t most = 0;
  for (Index r = 0; r < graph.nodes; ++r) {
    const Index degree = a.row_start[r + 1] - a.row_start[r];
    column[static_cast<std::size_t>(r)] = static_cast<std::int32_t>(std::min(degree, most_degrees));
    most = std::max(most, column[static_cast<std::size_t>(r)]);
  }
  return one_hot(column, most + 1);
}

void set_default_features(std::optional<DefaultFeatures> kind, Dataset& dataset) {
  const Graph& graph = dataset.graph;
  if (!kind && graph.nodes <= most_identities) {
    kind = DefaultFeatures::identity;
    dataset.remarks.push_back(
        "nodes have no features, so each gets one of its own; such a model knows only the nodes of this "
        "graph, one made with 'gdkm data import' and " +
        option("features", "degree") + " any graph");
  } else if (!kind) {
    kind = DefaultFeatures::degree;
    dataset.remarks.push_back(fmt::format(
        "nodes have no features, so their degrees are used, since there are more than {}", most_identities));
  }
  dataset.features = make_default_features(graph, *kind);
  if (*kind == DefaultFeatures::identity) dataset.columns.kind = FeatureColumns::Kind::nodes;
}

void set_degree_features(const std::string& where, const Graph& graph, Features& features,
                         FeatureColumns& columns) {
  features = dense_or_sparse(make_default_features(graph, DefaultFeatures::degree).sparse);
  columns = {FeatureColumns::Kind::degrees, {{}}, 0, where};
  auto& degrees = columns.values.front();
  degrees.resize(static_cast<std::size_t>(features.cols));
  std::iota(degrees.begin(), degrees.end(), 0);
}

void name_columns_of_nodes(Dataset& dataset) {
  if (dataset.columns.kind != FeatureColumns::Kind::nodes || dataset.columns.has_names()) return;
  std::vector<std::string> names = dataset.node_names;
  if (names.empty()) {
    for (Index k = 0; k < dataset.graph.nodes; ++k) names.push_back(std::to_string(k));
  }
  const std::set<std::string_view> different(names.begin(), names.end());
  if (names.empty() || different.size() != names.size()) {  // numbers are all that tells them apart
    dataset.columns = {};
  } else {
    dataset.columns.table = {{"node", ColumnType::category, std::move(names)}};
  }
}

void refuse_default_features(const std::string& where, std::size_t columns) {
  refuse(
      "{}: has {} feature column{}, but {} degree, identity and ones are for nodes without features; give "
      "one of the two, or skip the columns with {}",
      where, columns, columns == 1 ? "" : "s", option("features"), option("ignore_columns"));
}

}  // namespace gdkm
