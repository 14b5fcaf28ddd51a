#include "gdkm/training/batches.hpp"

#include <algorithm>
#include <numeric>

#include "gdkm/dataset/shuffle.hpp"
#include "gdkm/graph/partition.hpp"

namespace gdkm {
namespace {

std::vector<std::int32_t> all_of(Index count) {
  std::vector<std::int32_t> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

std::vector<std::int32_t> labels_of(const Problem& problem, const std::vector<std::int32_t>& items) {
  std::vector<std::int32_t> out;
  for (const auto item : items) out.push_back(problem.label[item]);
  return out;
}

Batch whole(const Problem& problem, const std::vector<std::int32_t>& train,
            const std::vector<std::int32_t>& inducing_nodes, int hops, bool only_within_reach,
            Communicator* ranks) {
  std::vector<std::int32_t> seeds = train;
  seeds.insert(seeds.end(), inducing_nodes.begin(), inducing_nodes.end());
  if (!only_within_reach) seeds = all_of(problem.nodes());
  Batch out{within_reach(problem, seeds, hops, ranks), {}, labels_of(problem, train), train};
  out.item = out.part.numbers_of(train);
  return out;
}

/// Both, ascending, without repetition.
std::vector<std::int32_t> united(std::vector<std::int32_t> a, const std::vector<std::int32_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  return a;
}

std::vector<Batch> shares(const Problem& problem, const std::vector<std::int32_t>& train,
                          const std::vector<std::int32_t>& inducing_nodes, const BatchOptions& options,
                          std::uint64_t seed) {
  const auto share = partition_nodes(problem.relations, options.batches, options.partition, seed);
  std::vector<std::vector<std::int32_t>> nodes(static_cast<std::size_t>(options.batches)),
      training(nodes.size());
  for (std::size_t i = 0; i < share.size(); ++i) nodes[share[i]].push_back(static_cast<std::int32_t>(i));
  for (const auto node : train) training[share[node]].push_back(node);
  std::vector<Batch> out;
  for (std::size_t b = 0; b < nodes.size(); ++b) {
    if (training[b].empty()) continue;
    Batch batch{cut_out(problem, united(std::move(nodes[b]), inducing_nodes), inducing_nodes),
                {},
                labels_of(problem, training[b]),
                training[b]};
    batch.item = batch.part.numbers_of(training[b]);
    out.push_back(std::move(batch));
  }
  return out;
}

std::vector<Batch> groups_of_graphs(const Problem& problem, std::vector<std::int32_t> train, Index size,
                                    std::uint64_t seed) {
  Random random(Stream{seed, Purpose::shuffle, 0});
  shuffle(train, random);
  std::vector<Batch> out;
  const auto count = static_cast<Index>(train.size()), groups = (count + size - 1) / size;
  for (Index g = 0; g < groups; ++g) {  // of equal size, to within one
    std::vector<std::int32_t> graphs(train.begin() + count * g / groups,
                                     train.begin() + count * (g + 1) / groups);
    std::sort(graphs.begin(), graphs.end());
    out.push_back({some_graphs(problem, graphs), all_of(static_cast<Index>(graphs.size())),
                   labels_of(problem, graphs), graphs});
  }
  return out;
}

}  // namespace

std::vector<std::int32_t> partition_nodes(const Relations& relations, int parts, Partition how,
                                          std::uint64_t seed) {
  const Index n = relations.nodes();
  std::vector<std::int32_t> out(static_cast<std::size_t>(n), 0);
  if (parts <= 1) return out;
  if (how == Partition::random || parts >= n) {
    auto order = all_of(n);
    Random random(Stream{seed, Purpose::shuffle, 1});
    shuffle(order, random);
    for (Index k = 0; k < n; ++k) out[order[k]] = static_cast<std::int32_t>(k * parts / n);
    return out;
  }
  return partition_graph(relations, parts, seed);
}

std::vector<std::int32_t> labelled(const Problem& problem, const std::vector<std::int32_t>& items) {
  std::vector<std::int32_t> out;
  for (const auto item : items) {
    if (problem.is_regression() || problem.label[static_cast<std::size_t>(item)] >= 0) out.push_back(item);
  }
  return out;
}

std::vector<Batch> make_batches(const Problem& problem, const std::vector<std::int32_t>& train,
                                const std::vector<std::int32_t>& inducing_nodes, int hops,
                                const BatchOptions& options, std::uint64_t seed, Communicator* ranks) {
  if (problem.task == Task::graph) return groups_of_graphs(problem, train, options.graphs, seed);
  if (options.batches > 1) return shares(problem, train, inducing_nodes, options, seed);
  std::vector<Batch> out;
  out.push_back(whole(problem, train, inducing_nodes, hops, options.only_within_reach, ranks));
  return out;
}

}  // namespace gdkm
