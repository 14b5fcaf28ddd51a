#include "gdkm/graph/distribute.hpp"

#include <algorithm>

#include "gdkm/ranks/collect.hpp"

namespace gdkm {

Halo make_halo(const std::vector<std::vector<std::int32_t>>& needed, Communicator& ranks) {
  Halo out;
  const auto asked = deal_out(ranks, needed);
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const auto& mine = needed[static_cast<std::size_t>(rank)];
    const auto& theirs = asked[static_cast<std::size_t>(rank)];
    if (rank == ranks.rank() || (mine.empty() && theirs.empty())) continue;
    out.neighbours.push_back({rank, static_cast<Index>(out.send.size()), static_cast<Index>(theirs.size()),
                              out.received, static_cast<Index>(mine.size())});
    out.send.insert(out.send.end(), theirs.begin(), theirs.end());
    out.received += static_cast<Index>(mine.size());
  }
  return out;
}

namespace {

/// Where the rows of other ranks' nodes arrive, rank by rank in ascending order of their nodes.
struct Arrivals {
  std::vector<std::vector<std::int32_t>> needed;  // of each rank, by its own numbers
  std::vector<std::int32_t> at;                   // of every node; −1 where none is needed

  Arrivals(const std::vector<char>& is_needed, const std::vector<std::int32_t>& number,
           const NodeRanks& shared)
      : needed(static_cast<std::size_t>(shared.ranks->size())), at(is_needed.size(), -1) {
    const auto& owner = *shared.owner;
    const auto is_remote = [&](std::size_t node) {
      return is_needed[node] != 0 && owner[node] != shared.ranks->rank();
    };
    for (std::size_t node = 0; node < owner.size(); ++node) {
      if (is_remote(node)) needed[static_cast<std::size_t>(owner[node])].push_back(number[node]);
    }
    std::vector<std::size_t> next(needed.size(), 0);
    for (std::size_t rank = 1; rank < next.size(); ++rank)
      next[rank] = next[rank - 1] + needed[rank - 1].size();
    for (std::size_t node = 0; node < owner.size(); ++node) {
      if (is_remote(node))
        at[node] = static_cast<std::int32_t>(next[static_cast<std::size_t>(owner[node])]++);
    }
  }
};

}  // namespace

DistributedCsr distribute(const Csr& matrix, const NodeRanks& shared) {
  const std::vector<std::int32_t> own = shared.own(), number = shared.numbers();
  const bool has_all_rows = matrix.rows == matrix.cols;
  const auto row_of = [&](std::size_t k) { return has_all_rows ? static_cast<std::size_t>(own[k]) : k; };
  const auto for_each_entry = [&](std::size_t k, const auto& visit) {
    const std::size_t row = row_of(k);
    for (Index e = matrix.row_start[row]; e < matrix.row_start[row + 1]; ++e)
      visit(static_cast<std::size_t>(matrix.col[static_cast<std::size_t>(e)]), e);
  };
  std::vector<char> is_needed(shared.owner->size(), 0);
  for (std::size_t k = 0; k < own.size(); ++k)
    for_each_entry(k, [&](std::size_t col, Index) { is_needed[col] = 1; });
  const Arrivals arrivals(is_needed, number, shared);

  DistributedCsr out;
  out.halo = make_halo(arrivals.needed, *shared.ranks);
  out.own.rows = out.own.cols = out.remote.rows = static_cast<Index>(own.size());
  out.remote.cols = out.halo.received;
  std::size_t within = 0, between = 0;
  for (std::size_t k = 0; k < own.size(); ++k)
    for_each_entry(k, [&](std::size_t col, Index) { ++(arrivals.at[col] < 0 ? within : between); });
  std::vector<std::int32_t>&own_col = out.own.col.edit(), &remote_col = out.remote.col.edit();
  std::vector<double>&own_value = out.own.value.edit(), &remote_value = out.remote.value.edit();
  own_col.reserve(within), own_value.reserve(within);
  remote_col.reserve(between), remote_value.reserve(between);
  std::vector<std::pair<std::int32_t, double>> remote;
  for (std::size_t k = 0; k < own.size(); ++k) {
    remote.clear();
    for_each_entry(k, [&](std::size_t col, Index e) {
      const double value = matrix.value[static_cast<std::size_t>(e)];
      if (arrivals.at[col] >= 0) {
        remote.emplace_back(arrivals.at[col], value);
      } else {
        own_col.push_back(number[col]);
        own_value.push_back(value);
      }
    });
    std::sort(remote.begin(), remote.end());  // the order of the halo is not that of nodes
    for (const auto& [col, value] : remote) {
      remote_col.push_back(col);
      remote_value.push_back(value);
    }
    out.own.row_start.push_back(static_cast<Index>(own_col.size()));
    out.remote.row_start.push_back(static_cast<Index>(remote_col.size()));
  }
  return out;
}

namespace {

/// What each rank asked for, of the rows of this one: `pack` appends what there is of a row.
template <class V, class Pack>
std::vector<std::vector<V>> answers(const std::vector<std::vector<std::int32_t>>& asked, const Pack& pack,
                                    Communicator& ranks) {
  std::vector<std::vector<V>> out(asked.size());
  for (std::size_t rank = 0; rank < asked.size(); ++rank) {
    for (const auto row : asked[rank]) pack(static_cast<std::size_t>(row), out[rank]);
  }
  return deal_out(ranks, out);
}

}  // namespace

Features fetch_rows(const Features& own, const std::vector<std::int32_t>& nodes, const NodeRanks& shared) {
  const auto number = shared.numbers();
  std::vector<std::vector<std::int32_t>> wanted(static_cast<std::size_t>(shared.ranks->size()));
  for (const auto node : nodes) {
    const auto n = static_cast<std::size_t>(node);
    wanted[static_cast<std::size_t>((*shared.owner)[n])].push_back(number[n]);
  }
  const auto asked = deal_out(*shared.ranks, wanted);
  const auto width = static_cast<std::size_t>(own.cols);
  Features out;
  out.rows = static_cast<Index>(nodes.size());
  out.cols = own.cols;
  out.is_sparse = own.is_sparse;
  std::vector<std::size_t> next(wanted.size(), 0);  // row of what each rank has answered
  const auto rank_of = [&](std::int32_t node) {
    return static_cast<std::size_t>((*shared.owner)[static_cast<std::size_t>(node)]);
  };
  if (!own.is_sparse) {
    const std::vector<float>& mine = own.dense;
    const auto got = answers<float>(
        asked,
        [&](std::size_t row, std::vector<float>& to) {
          to.insert(to.end(), mine.begin() + static_cast<std::ptrdiff_t>(row * width),
                    mine.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
        },
        *shared.ranks);
    std::vector<float>& values = out.dense.edit();
    values.reserve(nodes.size() * width);
    for (const auto node : nodes) {
      const auto from =
          got[rank_of(node)].begin() + static_cast<std::ptrdiff_t>(next[rank_of(node)]++ * width);
      values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
    return out;
  }
  const Csr& x = own.sparse;
  const auto entries_of = [&](std::size_t row) {
    return std::pair{static_cast<std::size_t>(x.row_start[row]),
                     static_cast<std::size_t>(x.row_start[row + 1])};
  };
  const auto counts = answers<std::int64_t>(
      asked,
      [&](std::size_t row, std::vector<std::int64_t>& to) {
        to.push_back(x.row_start[row + 1] - x.row_start[row]);
      },
      *shared.ranks);
  const auto columns = answers<std::int32_t>(
      asked,
      [&](std::size_t row, std::vector<std::int32_t>& to) {
        for (auto [k, end] = entries_of(row); k < end; ++k) to.push_back(x.col[k]);
      },
      *shared.ranks);
  const auto values = answers<double>(
      asked,
      [&](std::size_t row, std::vector<double>& to) {
        for (auto [k, end] = entries_of(row); k < end; ++k) to.push_back(x.value[k]);
      },
      *shared.ranks);
  out.sparse.rows = out.rows;
  out.sparse.cols = out.cols;
  std::vector<std::size_t> entry(wanted.size(), 0);
  for (const auto node : nodes) {
    const std::size_t rank = rank_of(node);
    const auto count = static_cast<std::size_t>(counts[rank][next[rank]++]);
    for (std::size_t k = 0; k < count; ++k, ++entry[rank]) {
      out.sparse.col.push_back(columns[rank][entry[rank]]);
      out.sparse.value.push_back(values[rank][entry[rank]]);
    }
    out.sparse.row_start.push_back(out.sparse.nonzeros());
  }
  return out;
}

std::vector<std::int32_t> neighbourhood(const Relations& own, const std::vector<std::int32_t>& seeds,
                                        int hops, const NodeRanks& shared) {
  const auto number = shared.numbers();
  std::vector<char> seen(shared.owner->size(), 0);
  std::vector<std::int32_t> frontier;
  std::size_t reached = 0;
  const auto visit = [&](std::int32_t node, std::vector<std::int32_t>& next) {
    char& mark = seen[static_cast<std::size_t>(node)];
    if (mark != 0) return;
    mark = 1;
    ++reached;
    next.push_back(node);
  };
  for (const auto node : seeds) visit(node, frontier);
  for (int hop = 0; hop < hops && !frontier.empty() && reached < seen.size(); ++hop) {
    std::vector<std::int32_t> mine, next;
    std::vector<char> found(seen.size(), 0);
    for (const auto node : frontier) {
      if ((*shared.owner)[static_cast<std::size_t>(node)] != shared.ranks->rank()) continue;
      const auto row = static_cast<std::size_t>(number[static_cast<std::size_t>(node)]);
      for (const auto& [name, scaling, matrix] : own.each) {
        for (Index k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
          const auto col = static_cast<std::size_t>(matrix.col[static_cast<std::size_t>(k)]);
          if (seen[col] != 0 || found[col] != 0) continue;
          found[col] = 1;
          mine.push_back(static_cast<std::int32_t>(col));
        }
      }
    }
    for (const auto node : all_of_each(*shared.ranks, mine)) visit(node, next);
    frontier = std::move(next);
  }
  std::vector<std::int32_t> out;
  out.reserve(reached);
  for (std::size_t node = 0; node < seen.size(); ++node) {
    if (seen[node] != 0) out.push_back(static_cast<std::int32_t>(node));
  }
  return out;
}

std::vector<std::int32_t> columns_of(const Relations& relations) {
  std::vector<char> is_there(static_cast<std::size_t>(relations.nodes()), 0);
  for (const Relation& relation : relations.each) {
    for (const auto col : std::as_const(relation.matrix).col) is_there[static_cast<std::size_t>(col)] = 1;
  }
  std::vector<std::int32_t> out;
  for (std::size_t node = 0; node < is_there.size(); ++node) {
    if (is_there[node] != 0) out.push_back(static_cast<std::int32_t>(node));
  }
  return out;
}

}  // namespace gdkm
