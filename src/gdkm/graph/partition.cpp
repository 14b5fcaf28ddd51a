#include "gdkm/graph/partition.hpp"

#include <metis.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include "gdkm/graph/stream_partition.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

/// A graph without self-loops, the same in both directions, as METIS wants it.
struct MetisGraph {
  std::vector<idx_t> start{0}, neighbour;

  explicit MetisGraph(const Relations& relations) {
    std::vector<Csr> back;
    for (const Relation& relation : relations.each) back.push_back(transpose(relation.matrix));
    for (Index r = 0; r < relations.nodes(); ++r) {
      std::vector<std::int32_t> row;
      const auto add_row = [&](const Csr& a) {
        row.insert(row.end(), a.col.begin() + a.row_start[r], a.col.begin() + a.row_start[r + 1]);
      };
      for (const Relation& relation : relations.each) add_row(relation.matrix);
      for (const Csr& matrix : back) add_row(matrix);
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      for (const auto c : row) {
        if (c != r) neighbour.push_back(c);
      }
      if (neighbour.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
        throw InputError(
            "METIS as it was built here counts at most 2^31 entries, and the graph has more; use " +
            option("partition", "random"));
      start.push_back(static_cast<idx_t>(neighbour.size()));
    }
  }
};

}  // namespace

std::vector<std::int32_t> partition_graph(const Relations& relations, int parts, std::uint64_t seed,
                                          const std::vector<std::vector<std::int32_t>>& work) {
  const Index n = relations.nodes();
  std::vector<std::int32_t> out(static_cast<std::size_t>(n), 0);
  if (parts <= 1) return out;
  if (parts >= n) {
    std::iota(out.begin(), out.end(), 0);
    return out;
  }
  MetisGraph graph(relations);
  std::vector<idx_t> weight, share(static_cast<std::size_t>(n));
  for (Index node = 0; node < n; ++node) {
    for (const auto& each : work) weight.push_back(each[static_cast<std::size_t>(node)]);
  }
  idx_t nodes = static_cast<idx_t>(n), constraints = std::max<idx_t>(1, static_cast<idx_t>(work.size())),
        count = parts, cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed & 0x7fffffff);
  // METIS has state of its own, which threads (runs side by side, ranks in tests) would share.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const int status = METIS_PartGraphKway(&nodes, &constraints, graph.start.data(), graph.neighbour.data(),
                                         weight.empty() ? nullptr : weight.data(), nullptr, nullptr, &count,
                                         nullptr, nullptr, options, &cut, share.data());
  if (status != METIS_OK)
    throw NumericalError("METIS could not partition the graph; use " + option("partition", "random"));
  for (Index i = 0; i < n; ++i) out[i] = static_cast<std::int32_t>(share[i]);
  return out;
}

std::vector<std::int32_t> owners_of_nodes(const Relations& relations, const std::vector<std::int32_t>& train,
                                          int ranks, Index most_entries) {
  const auto nodes = static_cast<std::size_t>(relations.nodes());
  std::vector<std::int32_t> entries(nodes, 0), labels(nodes, 0);
  Index all = 0;
  for (const Relation& relation : relations.each) {
    all += relation.matrix.nonzeros();
    for (std::size_t node = 0; node < nodes; ++node)
      entries[node] +=
          static_cast<std::int32_t>(relation.matrix.row_start[node + 1] - relation.matrix.row_start[node]);
  }
  if (2 * all > most_entries) {  // METIS takes every edge in both directions
    const EdgeStream edges = [&](const std::function<void(Index, Index)>& visit) {
      for (const Relation& relation : relations.each) {
        for (Index r = 0; r < relation.matrix.rows; ++r) {
          for (Index k = relation.matrix.row_start[r]; k < relation.matrix.row_start[r + 1]; ++k)
            visit(r, relation.matrix.col[k]);
        }
      }
    };
    return stream_partition(edges, relations.nodes(), {.parts = ranks});
  }
  for (const auto node : train) labels[static_cast<std::size_t>(node)] = 1;
  std::vector<std::vector<std::int32_t>> work{std::vector<std::int32_t>(nodes, 1), entries};
  if (!train.empty()) work.push_back(labels);
  return partition_graph(relations, ranks, 0, work);
}

}  // namespace gdkm
