#include "gdkm/graph/structure_features.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gdkm/graph/feature_forms.hpp"
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
  if (graph.directed) {
    out = side_by_side({sparse_features(std::move(out)), sparse_features(shared_columns(transpose(in), how))})
              .sparse;
  }
  return out.cols > most_structure_columns ? hashed(out, most_structure_columns) : out;
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
  Csr given = nonzero_entries(normalise(x, how));
  Csr structure = structure_of(graph, options, scaled ? how : Normalisation::l2);
  if (!scaled) {
    const double length = typical_length(given);
    for (double& value : structure.value) value *= length;
  }
  return side_by_side({sparse_features(std::move(given)), sparse_features(std::move(structure))});
}

}  // namespace gdkm
