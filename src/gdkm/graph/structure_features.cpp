#include "gdkm/graph/structure_features.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

/// The columns of `a` that at least two rows have, each divided by the square root of its sum, and then each
/// row scaled.
Csr shared_columns(const Csr& a, Normalisation how) {
  std::vector<Index> count(static_cast<std::size_t>(a.cols), 0);
  std::vector<double> sum(count.size(), 0);
  for (std::size_t k = 0; k < a.col.size(); ++k) {
    ++count[static_cast<std::size_t>(a.col[k])];
    sum[static_cast<std::size_t>(a.col[k])] += a.value[k];
  }
  Features out;
  out.is_sparse = true;
  out.rows = out.sparse.rows = a.rows;
  std::vector<std::int32_t> place(count.size(), -1);
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] >= 2) place[c] = static_cast<std::int32_t>(out.cols++);
  }
  out.sparse.cols = out.cols;
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
      const auto to = place[static_cast<std::size_t>(a.col[k])];
      if (to < 0) continue;
      out.sparse.col.push_back(to);
      out.sparse.value.push_back(a.value[k] / std::sqrt(sum[static_cast<std::size_t>(a.col[k])]));
    }
    out.sparse.row_start.push_back(out.sparse.nonzeros());
  }
  return normalise(std::move(out), how).sparse;
}

/// The matrices side by side.
Csr beside(const Csr& a, const Csr& b) {
  assert(a.rows == b.rows);
  Csr out;
  out.rows = a.rows;
  out.cols = a.cols + b.cols;
  out.col.reserve(a.col.size() + b.col.size());
  out.value.reserve(a.col.size() + b.col.size());
  out.row_start.reserve(a.row_start.size());
  for (Index r = 0; r < a.rows; ++r) {
    out.col.insert(out.col.end(), a.col.begin() + a.row_start[r], a.col.begin() + a.row_start[r + 1]);
    out.value.insert(out.value.end(), a.value.begin() + a.row_start[r], a.value.begin() + a.row_start[r + 1]);
    for (Index k = b.row_start[r]; k < b.row_start[r + 1]; ++k) {
      out.col.push_back(static_cast<std::int32_t>(a.cols + b.col[k]));
      out.value.push_back(b.value[k]);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

/// The count sketch of the rows: S_j,h(c) = Σ_c s(c) A_jc.
Csr hashed(const Csr& a, Index cols) {
  std::vector<std::int32_t> place(static_cast<std::size_t>(a.cols));
  std::vector<double> sign(place.size());
  for (std::size_t c = 0; c < place.size(); ++c) {
    const Random4 random = random_block({0, Purpose::structure, 0}, c);
    place[c] = static_cast<std::int32_t>(random.v[0] % static_cast<std::uint32_t>(cols));
    sign[c] = random.v[1] % 2 == 0 ? 1 : -1;
  }
  Csr out;
  out.rows = a.rows;
  out.cols = cols;
  std::vector<std::pair<std::int32_t, double>> row;
  for (Index r = 0; r < a.rows; ++r) {
    row.clear();
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
      const auto c = static_cast<std::size_t>(a.col[k]);
      row.emplace_back(place[c], sign[c] * a.value[k]);
    }
    std::sort(row.begin(), row.end());
    for (std::size_t k = 0; k < row.size();) {
      const auto col = row[k].first;
      double sum = 0;
      for (; k < row.size() && row[k].first == col; ++k) sum += row[k].second;
      if (sum == 0) continue;
      out.col.push_back(col);
      out.value.push_back(sum);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

Csr structure_of(const Graph& graph, AdjacencyOptions options, Normalisation how) {
  options.keep_direction = true;  // how models mix is another question
  const Csr in = adjacency(graph, options);
  Csr out = shared_columns(in, how);
  if (graph.directed) out = beside(out, shared_columns(transpose(in), how));
  return out.cols > most_structure_columns ? hashed(out, most_structure_columns) : out;
}

/// The nonzero entries of X.
Csr as_sparse(const Features& x) {
  if (x.is_sparse) return x.sparse;
  Csr out;
  out.rows = x.rows;
  out.cols = x.cols;
  const auto filled = static_cast<std::size_t>(
      std::count_if(x.dense.begin(), x.dense.end(), [](float value) { return value != 0; }));
  out.col.reserve(filled);
  out.value.reserve(filled);
  for (Index r = 0; r < x.rows; ++r) {
    for (Index c = 0; c < x.cols; ++c) {
      const float value = x.dense[static_cast<std::size_t>(r * x.cols + c)];
      if (value == 0) continue;
      out.col.push_back(static_cast<std::int32_t>(c));
      out.value.push_back(value);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

/// The root mean square length of the rows that are not zero; 1 if all are.
double typical_length(const Csr& x) {
  double sum = 0;
  Index rows = 0;
  for (Index r = 0; r < x.rows; ++r) rows += x.row_start[r + 1] > x.row_start[r] ? 1 : 0;
  for (const double value : x.value) sum += value * value;
  return sum > 0 ? std::sqrt(sum / static_cast<double>(rows)) : 1;
}

}  // namespace

Csr structure_of(const Graph& graph, const AdjacencyOptions& options) {
  return structure_of(graph, options, Normalisation::l2);
}

Features with_structure(const Features& x, const Graph& graph, const AdjacencyOptions& options,
                        Normalisation how) {
  assert(x.rows == graph.nodes);
  const bool scaled = how != Normalisation::none;
  const Csr given = as_sparse(normalise(x, how));
  Csr structure = structure_of(graph, options, scaled ? how : Normalisation::l2);
  if (!scaled) {
    const double length = typical_length(given);
    for (double& value : structure.value) value *= length;
  }
  Features out;
  out.is_sparse = true;
  out.sparse = beside(given, structure);
  out.rows = out.sparse.rows;
  out.cols = out.sparse.cols;
  return out;
}

}  // namespace gdkm
