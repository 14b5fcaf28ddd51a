#include "gdkm/data/formats/shared/checked_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Values too large for float32, in which features are stored, count as infinite.
void check_value(const std::string& where, Index row, Index col, double value) {
  if (std::fabs(value) <= std::numeric_limits<float>::max()) return;
  refuse("{}: row {}, column {} is {}; replace it by a finite number", where, row, col, value);
}

void check_starts(const CsrArrays& a) {
  const auto fail = [&](const std::string& what) { refuse("{}: {}; {}", a.start_where, what, a.remedy); };
  if (static_cast<Index>(a.start.size()) != a.rows + 1)
    fail(fmt::format("has {} entries, but {} rows need {}", a.start.size(), a.rows, a.rows + 1));
  for (Index r = 0; r < a.rows; ++r) {
    if (a.start[r + 1] < a.start[r])
      fail(fmt::format("decreases from {} to {} at row {}", a.start[r], a.start[r + 1], r));
  }
  if (a.start.front() != 0 || a.start.back() != static_cast<Index>(a.col.size()))
    fail(fmt::format("runs from {} to {}, expected 0 to {}", a.start.front(), a.start.back(), a.col.size()));
}

/// Sorts rows, sums repeated entries and drops zeros.
Csr tidied(const Csr& a, const std::string& where) {
  std::vector<Triplet> entries;
  entries.reserve(a.col.size());
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k)
      entries.push_back({static_cast<std::int32_t>(r), a.col[k], a.value[k]});
  }
  const Csr summed = csr_from_triplets(a.rows, a.cols, std::move(entries));
  Csr out;
  out.rows = summed.rows;
  out.cols = summed.cols;
  for (Index r = 0; r < summed.rows; ++r) {
    for (Index k = summed.row_start[r]; k < summed.row_start[r + 1]; ++k) {
      check_value(where, r, summed.col[k], summed.value[k]);  // a sum may be too large
      if (summed.value[k] == 0) continue;
      out.col.push_back(summed.col[k]);
      out.value.push_back(summed.value[k]);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

}  // namespace

Csr checked_csr(CsrArrays a) {
  if (a.value.size() != a.col.size())
    refuse("{}: has {} values for {} columns; {}", a.value_where, a.value.size(), a.col.size(), a.remedy);
  check_starts(a);
  Csr out;
  out.rows = a.rows;
  out.cols = a.cols;
  out.col.reserve(a.col.size());
  bool is_tidy = true;
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.start[r]; k < a.start[r + 1]; ++k) {
      if (a.col[k] < 0 || a.col[k] >= a.cols) {
        refuse("{}: entry {} (row {}) refers to column {}, but columns are 0..{}; {}", a.col_where, k, r,
               a.col[k], a.cols - 1, a.remedy);
      }
      check_value(a.value_where, r, a.col[k], a.value[k]);
      is_tidy = is_tidy && a.value[k] != 0 && (k == a.start[r] || a.col[k] > a.col[k - 1]);
      out.col.push_back(static_cast<std::int32_t>(a.col[k]));
    }
  }
  out.row_start = std::move(a.start);
  out.value = std::move(a.value);
  return is_tidy ? out : tidied(out, a.value_where);
}

void check_finite(const std::string& where, const Features& features) {
  for (std::size_t k = 0; k < features.dense.size(); ++k) {
    if (std::isfinite(features.dense[k])) continue;
    const auto at = static_cast<Index>(k);
    refuse("{}: node {}, feature {} is {}; replace it by a finite number", where, at / features.cols,
           at % features.cols, features.dense[k]);
  }
}

Graph graph_from_matrix(const std::string& where, const Csr& matrix) {
  if (matrix.rows != matrix.cols) {
    refuse("{}: has size {} x {}; an adjacency matrix is square, with one row per node", where, matrix.rows,
           matrix.cols);
  }
  Graph out;
  out.nodes = matrix.rows;
  out.directed = !is_symmetric(matrix);
  for (Index r = 0; r < matrix.rows; ++r) {
    for (Index k = matrix.row_start[r]; k < matrix.row_start[r + 1]; ++k) {
      const double weight = matrix.value[k];
      if (!(weight <= std::numeric_limits<float>::max() && static_cast<float>(weight) > 0)) {
        refuse("{}: row {}, column {}: expected a positive, finite weight, got {}; correct it", where, r + 1,
               matrix.col[k] + 1, weight);
      }
      if (!out.directed && matrix.col[k] < r) continue;
      out.edges.push_back({static_cast<std::int32_t>(r), matrix.col[k]});
      out.weight.push_back(static_cast<float>(weight));
    }
  }
  if (std::all_of(out.weight.begin(), out.weight.end(), [](float w) { return w == 1; })) out.weight = {};
  return out;
}

Features features_from_matrix(const std::string& where, Csr matrix) {
  if (matrix.cols == 0)
    refuse(where + ": has no feature columns; give at least one feature, e.g. a constant 1");
  Index kept = 0, next = 0;
  for (Index r = 0; r < matrix.rows; ++r) {
    const Index end = matrix.row_start[r + 1];
    for (; next < end; ++next) {
      if (!(std::fabs(matrix.value[next]) <= std::numeric_limits<float>::max())) {
        refuse("{}: row {}, column {} is {}; replace it by a finite number", where, r + 1,
               matrix.col[next] + 1, matrix.value[next]);
      }
      if (matrix.value[next] == 0) continue;
      matrix.col[kept] = matrix.col[next];
      matrix.value[kept++] = matrix.value[next];
    }
    matrix.row_start[r + 1] = kept;
  }
  matrix.col.resize(static_cast<std::size_t>(kept));
  matrix.value.resize(static_cast<std::size_t>(kept));
  return sparse_features(std::move(matrix));
}

}  // namespace gdkm
