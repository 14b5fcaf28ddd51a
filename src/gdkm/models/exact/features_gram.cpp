#include "gdkm/models/exact/features_gram.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
void check_memory(Index nodes, int matrices) {
  const double limit = static_cast<double>(kernel_memory_limit);
  const double largest = std::floor(std::sqrt(limit / (8.0 * matrices)));
  if (static_cast<double>(nodes) <= largest) return;
  throw InputError("an exact kernel of " + std::to_string(nodes) + " nodes needs " +
                   std::to_string(matrices) + " n x n matrices and at most " +
                   std::to_string(static_cast<Index>(largest)) + " nodes fit; use " + option("landmarks") +
                   " in place of " + option("exact"));
}

/// Adds XXᵀ of a sparse X to k, column by column: a column adds to every pair of its nodes.
void add_sparse_gram(const Csr& x, Dense& k) {
  const Csr columns = transpose(x);
  for (Index r = 0; r < x.rows; ++r) {
    double* row = k.row(r);
    for (Index e = x.row_start[r]; e < x.row_start[r + 1]; ++e) {
      const Index c = x.col[e];
      for (Index f = columns.row_start[c]; f < columns.row_start[c + 1]; ++f) {
        row[columns.col[f]] += x.value[e] * columns.value[f];
      }
    }
  }
}

/// Adds XXᵀ to k by dense products over strips of columns, so that a wide sparse X never becomes dense as a
/// whole.
void add_dense_gram(const Features& x, Dense& k) {
  constexpr Index width = 512;
  const Csr columns = x.is_sparse ? transpose(x.sparse) : Csr{};
  for (Index begin = 0; begin < x.cols; begin += width) {
    Dense strip(x.rows, std::min(width, x.cols - begin));
    for (Index c = 0; c < strip.cols; ++c) {
      if (!x.is_sparse) {
        for (Index r = 0; r < x.rows; ++r) {
          strip(r, c) = static_cast<double>(x.dense[static_cast<std::size_t>(r * x.cols + begin + c)]);
        }
        continue;
      }
      for (Index e = columns.row_start[begin + c]; e < columns.row_start[begin + c + 1]; ++e) {
        strip(columns.col[e], c) = columns.value[e];
      }
    }
    add_gram(strip, k);
  }
}

/// The number of products that add_sparse_gram computes.
double sparse_gram_work(const Csr& x) {
  std::vector<double> count(static_cast<std::size_t>(x.cols));
  for (const auto c : x.col) ++count[c];
  double sum = 0;
  for (const double v : count) sum += v * v;
  return sum;
}
}  // namespace

Dense features_gram(const Features& x, int matrices) {
  check_memory(x.rows, matrices);
  Dense k(x.rows, x.rows);
  const double dense_work =
      static_cast<double>(x.rows) * static_cast<double>(x.rows) * static_cast<double>(x.cols);
  if (x.is_sparse && 16 * sparse_gram_work(x.sparse) < dense_work) {
    add_sparse_gram(x.sparse, k);
  } else {
    add_dense_gram(x, k);
  }
  return k;
}

}  // namespace gdkm
