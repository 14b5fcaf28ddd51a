#include <algorithm>
#include <cmath>
#include <utility>

#include "gdkm/graph/graph.hpp"

namespace gdkm {
namespace {

void share(ThreadPool* pool, Index rows, FunctionRef<std::int64_t, std::int64_t> body) {
  if (pool == nullptr) return body(0, rows);
  pool->share(rows, 1024, body);
}

/// Calls visit(row, col, edge) for every entry of A that an edge defines.
template <class Visit>
void for_each_entry(const Graph& graph, const AdjacencyOptions& options, Visit visit) {
  const bool mirrored = !(graph.directed && options.keep_direction);
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const auto [from, to] = graph.edges[k];
    if (from == to) {
      if (options.keep_self_loops) visit(to, from, k);
      continue;
    }
    visit(to, from, k);
    if (mirrored) visit(from, to, k);
  }
}

/// Sorts a row by column and keeps the largest weight of each column; returns the number of entries left.
/// `weight` is null if all weights are 1.
Index tidy_row(std::int32_t* col, double* weight, Index count) {
  if (weight == nullptr) {
    if (!std::is_sorted(col, col + count)) std::sort(col, col + count);
    return std::unique(col, col + count) - col;
  }
  std::vector<std::pair<std::int32_t, double>> row(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k) row[k] = {col[k], -weight[k]};
  std::sort(row.begin(), row.end());  // among equal columns the largest weight first
  Index kept = 0;
  for (const auto& [c, w] : row) {
    if (kept > 0 && col[kept - 1] == c) continue;
    col[kept] = c;
    weight[kept++] = -w;
  }
  return kept;
}

/// A, or A with every diagonal entry stored (0 where A has none), in three passes: count the entries of each
/// row, place them, sort and merge them. Peak memory is the matrix and one number per row.
Csr build(const Graph& graph, const AdjacencyOptions& options, bool with_diagonal, ThreadPool* pool) {
  const bool weighted = options.use_weights && !graph.weight.empty();
  Csr out;
  out.rows = out.cols = graph.nodes;
  out.row_start.assign(static_cast<std::size_t>(graph.nodes) + 1, with_diagonal ? 1 : 0);
  out.row_start[0] = 0;
  for_each_entry(graph, options,
                 [&](std::int32_t row, std::int32_t, std::size_t) { ++out.row_start[row + std::size_t{1}]; });
  for (Index r = 0; r < graph.nodes; ++r) out.row_start[r + 1] += out.row_start[r];
  std::vector<Index> next(out.row_start.begin(), out.row_start.end() - 1);
  std::vector<Index>& row_start = out.row_start.edit();
  std::vector<std::int32_t>& col = out.col.edit();
  std::vector<double>& value = out.value.edit();
  col.resize(static_cast<std::size_t>(row_start.back()));
  // Without weights all values are 1 (except on the diagonal), so they are not stored until the end.
  const bool stored = weighted || (with_diagonal && options.keep_self_loops);
  if (stored) value.resize(col.size());
  for_each_entry(graph, options, [&](std::int32_t row, std::int32_t column, std::size_t edge) {
    const Index at = next[row]++;
    col[at] = column;
    if (stored) value[at] = weighted ? graph.weight[edge] : 1.0;
  });
  if (with_diagonal) {
    for (Index r = 0; r < graph.nodes; ++r) {
      col[next[r]] = static_cast<std::int32_t>(r);
      if (stored) value[next[r]] = 0;
    }
  }
  std::vector<Index>& kept = next;
  share(pool, graph.nodes, [&](std::int64_t begin, std::int64_t end) {
    for (Index r = begin; r < end; ++r) {
      const Index at = row_start[r];
      kept[r] = tidy_row(col.data() + at, stored ? value.data() + at : nullptr, row_start[r + 1] - at);
    }
  });
  Index filled = 0;
  for (Index r = 0; r < graph.nodes; ++r) {
    const Index from = row_start[r];
    if (from != filled) {
      std::copy_n(col.begin() + from, kept[r], col.begin() + filled);
      if (stored) std::copy_n(value.begin() + from, kept[r], value.begin() + filled);
    }
    row_start[r] = filled;
    filled += kept[r];
  }
  row_start[graph.nodes] = filled;
  const bool wasteful = col.size() - static_cast<std::size_t>(filled) > col.size() / 8;
  col.resize(static_cast<std::size_t>(filled));
  if (wasteful) col.shrink_to_fit();
  if (stored) {
    value.resize(static_cast<std::size_t>(filled));
    return out;
  }
  value.assign(static_cast<std::size_t>(filled), 1.0);
  if (with_diagonal) {
    share(pool, graph.nodes, [&](std::int64_t begin, std::int64_t end) {
      for (Index r = begin; r < end; ++r) {
        const auto first = col.begin() + row_start[r], last = col.begin() + row_start[r + 1];
        const auto diagonal = std::lower_bound(first, last, static_cast<std::int32_t>(r));
        value[static_cast<std::size_t>(diagonal - col.begin())] = 0;
      }
    });
  }
  return out;
}

/// Turns A, with all diagonal entries stored, into Â_λ in place.
void normalise(Csr& a, double lambda, ThreadPool* pool, const NodeRanks& shared) {
  const std::vector<Index>& row_start = std::as_const(a).row_start;
  const std::vector<std::int32_t>& col = std::as_const(a).col;
  std::vector<double>& value = a.value.edit();
  std::vector<double> scale(static_cast<std::size_t>(a.rows));
  share(pool, a.rows, [&](std::int64_t begin, std::int64_t end) {
    for (Index r = begin; r < end; ++r) {
      double degree = 1;
      for (Index k = row_start[r]; k < row_start[r + 1]; ++k) degree += value[k];
      scale[r] = 1.0 / std::sqrt(degree);
    }
  });
  shared.complete(scale);
  share(pool, a.rows, [&](std::int64_t begin, std::int64_t end) {
    for (Index r = begin; r < end; ++r) {
      for (Index k = row_start[r]; k < row_start[r + 1]; ++k) {
        const bool diagonal = col[k] == r;
        const double entry = value[k] + (diagonal ? 1.0 : 0.0);
        value[k] = (1.0 - lambda) * entry * (scale[r] * scale[col[k]]) + (diagonal ? lambda : 0.0);
      }
    }
  });
}

}  // namespace

Csr adjacency(const Graph& graph, const AdjacencyOptions& options, ThreadPool* pool) {
  return build(graph, options, false, pool);
}

Csr normalised_adjacency(const Graph& graph, double lambda, const AdjacencyOptions& options, ThreadPool* pool,
                         const NodeRanks& shared) {
  Csr out = build(graph, options, true, pool);
  normalise(out, lambda, pool, shared);
  return out;
}

Csr normalised_adjacency(const Csr& adjacency, double lambda) {
  std::vector<Triplet> entries;
  entries.reserve(adjacency.col.size() + static_cast<std::size_t>(adjacency.rows));
  for (Index r = 0; r < adjacency.rows; ++r) {
    for (Index k = adjacency.row_start[r]; k < adjacency.row_start[r + 1]; ++k)
      entries.push_back({static_cast<std::int32_t>(r), adjacency.col[k], adjacency.value[k]});
    entries.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(r), 0});
  }
  Csr out = csr_from_triplets(adjacency.rows, adjacency.cols, std::move(entries));
  normalise(out, lambda, nullptr, {});
  return out;
}

}  // namespace gdkm
