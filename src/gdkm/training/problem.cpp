#include "gdkm/training/problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/graph/distribute.hpp"

namespace gdkm {

namespace {

Problem prepare_with(const Dataset& dataset, const Preprocessing& preprocessing,
                     const std::vector<RelationSpec>& relations, double lambda, Communicator* ranks) {
  Problem out;
  out.task = dataset.task;
  out.owner = dataset.owner;
  const NodeRanks shared = out.owner.empty() ? NodeRanks{} : NodeRanks{&out.owner, ranks};
  out.own_rows_alone = static_cast<bool>(shared);
  if (shared) out.ranks = ranks->size();
  out.features = normalised(dataset, preprocessing);
  if (!shared) out.features = in_cheaper_form(std::move(out.features));  // all ranks have the same form
  out.relations = make_relations(dataset.graph, relations, lambda, preprocessing.adjacency, shared);
  out.graph_start = dataset.graph_start;
  out.label = dataset.label;
  out.classes = dataset.classes;
  out.target = dataset.target;
  out.targets = dataset.targets;
  return out;
}

}  // namespace

Problem prepare(const Dataset& dataset, const Preprocessing& preprocessing, double lambda) {
  return prepare_with(dataset, preprocessing, {RelationSpec{}}, lambda, nullptr);
}

Problem prepare(const Dataset& dataset, const Preprocessing& preprocessing, const ModelConfig& config,
                Communicator* ranks) {
  Problem out = prepare_with(dataset, preprocessing, config.mixing(), config.lambda, ranks);
  const bool standard = resolved(preprocessing, dataset.columns) == Normalisation::standard;
  if (!traits_of(config.arch).scales_inputs_by_width || standard)
    return out;  // standard rows are scaled by it
  const double scale = 1.0 / std::sqrt(static_cast<double>(std::max<Index>(1, out.features.cols)));
  for (double& value : out.features.sparse.value) value *= scale;
  for (float& value : out.features.dense) value *= static_cast<float>(scale);
  return out;
}

std::vector<std::int32_t> Part::numbers_of(const std::vector<std::int32_t>& whole) const {
  std::vector<std::int32_t> out;
  out.reserve(whole.size());
  for (const auto node : whole) {
    const auto at = std::lower_bound(nodes.begin(), nodes.end(), node);
    assert(at != nodes.end() && *at == node);
    out.push_back(static_cast<std::int32_t>(at - nodes.begin()));
  }
  return out;
}

namespace {

std::vector<std::int32_t> owners_of(const Problem& problem, const std::vector<std::int32_t>& nodes) {
  std::vector<std::int32_t> out;
  if (problem.owner.empty()) return out;
  for (const auto node : nodes) out.push_back(problem.owner[static_cast<std::size_t>(node)]);
  return out;
}

/// Shares graphs out in their order, so that ranks have about as many nodes each.
void share_out_graphs(int ranks, Part& part) {
  const double nodes = std::max(1, part.graph_start.back());
  for (std::size_t g = 0; g + 1 < part.graph_start.size(); ++g) {
    const double middle = 0.5 * (part.graph_start[g] + part.graph_start[g + 1]);
    const int rank = std::min(ranks - 1, static_cast<int>(middle * ranks / nodes));
    part.graph_owner.push_back(rank);
    part.owner.insert(part.owner.end(),
                      static_cast<std::size_t>(part.graph_start[g + 1] - part.graph_start[g]), rank);
  }
}

}  // namespace

Part within_reach(const Problem& problem, const std::vector<std::int32_t>& seeds, int hops,
                  Communicator* ranks) {
  Part out;
  const NodeRanks shared = problem.to_be_asked(ranks);
  out.nodes = shared ? neighbourhood(problem.relations, seeds, hops, shared)
                     : neighbourhood(problem.relations, seeds, hops);
  if (static_cast<Index>(out.nodes.size()) == problem.nodes()) {
    out.features = problem.features;
    out.relations = problem.relations;
  } else if (shared) {
    const auto number = shared.numbers();
    std::vector<std::int32_t> rows;
    for (const auto node : out.nodes) {
      const auto k = static_cast<std::size_t>(node);
      if (problem.owner[k] == ranks->rank()) rows.push_back(number[k]);
    }
    out.features = select_rows(problem.features, rows);
    for (const Relation& relation : problem.relations.each)
      out.relations.each.push_back(
          {relation.name, relation.scaling, submatrix(relation.matrix, rows, out.nodes)});
  } else {
    out.features = select_rows(problem.features, out.nodes);
    out.relations = submatrices(problem.relations, out.nodes);
  }
  out.owner = owners_of(problem, out.nodes);
  return out;
}

namespace {

double row_sum(const Csr& a, Index r) {
  double sum = 0;
  for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) sum += a.value[k];
  return sum;
}

/// See cut_out.
void make_up_for_what_was_cut(const Csr& whole, const std::vector<std::int32_t>& nodes,
                              const std::vector<std::int32_t>& unscaled, bool rows_alone, Csr& part) {
  std::vector<double> scale(nodes.size());
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const double left = row_sum(part, static_cast<Index>(r));
    const double ratio = left > 0 ? row_sum(whole, nodes[r]) / left : 1.0;
    scale[r] = rows_alone ? ratio : std::sqrt(ratio);
  }
  for (const auto r : unscaled) scale[r] = 1;
  // Rows and columns alike, so that a symmetric matrix stays one.
  for (Index r = 0; r < part.rows; ++r) {
    for (Index k = part.row_start[r]; k < part.row_start[r + 1]; ++k)
      part.value[k] *= scale[r] * (rows_alone ? 1.0 : scale[part.col[k]]);
  }
}

}  // namespace

Part cut_out(const Problem& problem, std::vector<std::int32_t> nodes,
             const std::vector<std::int32_t>& inducing) {
  assert(!problem.own_rows_alone);
  Part out;
  out.features = select_rows(problem.features, nodes);
  out.relations = submatrices(problem.relations, nodes);
  std::vector<std::int32_t> unscaled;
  for (const auto node : inducing)
    unscaled.push_back(
        static_cast<std::int32_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin()));
  for (std::size_t r = 0; r < out.relations.each.size(); ++r) {
    const Csr& whole = problem.relations.each[r].matrix;
    if (out.relations.each[r].scaling == RelationScaling::sum) continue;
    const bool rows_alone = problem.relations.each[r].name != "gcn" && !is_symmetric(whole);
    make_up_for_what_was_cut(whole, nodes, unscaled, rows_alone, out.relations.each[r].matrix);
  }
  out.owner = owners_of(problem, nodes);
  out.nodes = std::move(nodes);
  return out;
}

std::vector<std::int32_t> nodes_of_training_graphs(const Problem& problem,
                                                   const std::vector<std::int32_t>& train) {
  std::vector<std::int32_t> out;
  if (problem.task == Task::node) return out;
  for (const auto graph : train) {
    const auto g = static_cast<std::size_t>(graph);
    for (auto node = problem.graph_start[g]; node < problem.graph_start[g + 1]; ++node) out.push_back(node);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Part some_graphs(const Problem& problem, const std::vector<std::int32_t>& graphs) {
  Part out;
  out.graph_start.push_back(0);
  for (const auto g : graphs) {
    for (auto node = problem.graph_start[g]; node < problem.graph_start[g + std::size_t{1}]; ++node)
      out.nodes.push_back(node);
    out.graph_start.push_back(static_cast<std::int32_t>(out.nodes.size()));
  }
  out.features = select_rows(problem.features, out.nodes);
  out.relations = submatrices(problem.relations, out.nodes);
  share_out_graphs(problem.ranks, out);
  return out;
}

}  // namespace gdkm
