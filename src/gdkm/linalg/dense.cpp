#include "gdkm/linalg/dense.hpp"

#include <algorithm>
#include <cassert>

#include "gdkm/linalg/cpu/blas.hpp"

namespace gdkm {

struct DenseThreads::Setting {
  blas::Threads threads;
};

DenseThreads::DenseThreads(int count) : setting_(new Setting{blas::Threads(count)}) {}
DenseThreads::~DenseThreads() = default;

Dense::Dense(Index rows_, Index cols_, std::vector<double> value_)
    : rows(rows_), cols(cols_), value(std::move(value_)) {
  assert(static_cast<Index>(value.size()) == rows * cols);
}

Dense identity(Index n) {
  Dense out(n, n);
  add_to_diagonal(1, out);
  return out;
}

Dense multiply(const Dense& a, const Dense& b, Op op_a, Op op_b) {
  assert((op_a == Op::none ? a.cols : a.rows) == (op_b == Op::none ? b.rows : b.cols));
  Dense out(op_a == Op::none ? a.rows : a.cols, op_b == Op::none ? b.cols : b.rows);
  const Index inner = op_a == Op::none ? a.cols : a.rows;
  if (!out.value.empty() && inner > 0) blas::gemm(1.0, op_a, a.view(), op_b, b.view(), 0.0, out.view());
  return out;
}

Dense multiply(const Csr& a, const Dense& b) {
  assert(a.cols == b.rows);
  Dense out(a.rows, b.cols);
  for (Index r = 0; r < a.rows; ++r) {
    double* to = out.row(r);
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
      const double weight = a.value[k];
      const double* from = b.row(a.col[k]);
      for (Index c = 0; c < b.cols; ++c) to[c] += weight * from[c];
    }
  }
  return out;
}

Dense lower_times(Op op, const Dense& l, Dense b) {
  assert(l.rows == l.cols && l.rows == b.rows);
  if (!b.value.empty()) blas::trmm_left(op, l.view(), b.view());
  return b;
}

Dense times_lower(Dense b, Op op, const Dense& l) {
  assert(l.rows == l.cols && l.rows == b.cols);
  if (!b.value.empty()) blas::trmm(std::as_const(b).view(), op, l.view(), b.view());
  return b;
}

Dense gram(const Dense& f) {
  Dense out(f.rows, f.rows);
  add_gram(f, out);
  return out;
}

void add_gram(const Dense& f, Dense& g) {
  assert(g.rows == f.rows && g.cols == f.rows);
  if (f.value.empty()) return;
  blas::syrk(f.view(), 1.0, g.view());
  mirror_lower(g);
}

namespace {
constexpr Index tile = 64;

/// K ← K Aᵀ, several rows at a time, which are transposed into a buffer so that the inner loop vectorises.
void mix_columns(const Csr& a, Dense& k) {
  constexpr Index lanes = 8;
  std::vector<double> buffer(static_cast<std::size_t>(k.cols * lanes));
  for (Index r0 = 0; r0 < k.rows; r0 += lanes) {
    const Index rows = std::min(lanes, k.rows - r0);
    for (Index r = 0; r < rows; ++r) {
      const double* from = k.row(r0 + r);
      for (Index c = 0; c < k.cols; ++c) buffer[c * lanes + r] = from[c];
    }
    for (Index j = 0; j < a.rows; ++j) {
      double sum[lanes] = {};
      for (Index e = a.row_start[j]; e < a.row_start[j + 1]; ++e) {
        const double weight = a.value[e];
        const double* from = buffer.data() + a.col[e] * lanes;
        for (Index r = 0; r < lanes; ++r) sum[r] += weight * from[r];
      }
      for (Index r = 0; r < rows; ++r) k(r0 + r, j) = sum[r];
    }
  }
}
}  // namespace

void mix_both_sides(const Csr& a, Dense& k) {
  assert(a.rows == a.cols && a.cols == k.rows && k.rows == k.cols);
  mix_columns(a, k);
  for_each_pair(k.rows, [&](Index r, Index c) { std::swap(k(r, c), k(c, r)); });  // K is not symmetric here
  mix_columns(a, k);
  symmetrise(k);  // exactly
}

Dense transpose(const Dense& a) {
  Dense out(a.cols, a.rows);
  for (Index r0 = 0; r0 < a.rows; r0 += tile) {
    for (Index c0 = 0; c0 < a.cols; c0 += tile) {
      for (Index r = r0; r < std::min(r0 + tile, a.rows); ++r) {
        for (Index c = c0; c < std::min(c0 + tile, a.cols); ++c) out(c, r) = a(r, c);
      }
    }
  }
  return out;
}

void add(double alpha, Dense& a, double beta, const Dense& b) {
  assert(a.rows == b.rows && a.cols == b.cols);
  for (std::size_t k = 0; k < a.value.size(); ++k) a.value[k] = alpha * a.value[k] + beta * b.value[k];
}

void add_to_diagonal(double value, Dense& a) {
  for (Index r = 0; r < a.rows; ++r) a(r, r) += value;
}

void symmetrise(Dense& a) {
  for_each_pair(a.rows, [&](Index r, Index c) { a(r, c) = a(c, r) = 0.5 * (a(r, c) + a(c, r)); });
}

void mirror_lower(Dense& a) {
  for_each_pair(a.rows, [&](Index r, Index c) { a(c, r) = a(r, c); });
}

void keep_lower(Dense& a, double diagonal) {
  for (Index r = 0; r < a.rows; ++r) {
    a(r, r) *= diagonal;
    std::fill(a.row(r) + r + 1, a.row(r) + a.cols, 0.0);
  }
}

std::vector<double> diagonal(const Dense& a) {
  std::vector<double> out(static_cast<std::size_t>(a.rows));
  for (Index r = 0; r < a.rows; ++r) out[r] = a(r, r);
  return out;
}

double inner_product(const Dense& a, const Dense& b) {
  assert(a.rows == b.rows && a.cols == b.cols);
  double sum = 0;
  for (std::size_t k = 0; k < a.value.size(); ++k) sum += a.value[k] * b.value[k];
  return sum;
}

Dense submatrix(const Dense& a, const std::vector<std::int32_t>& rows,
                const std::vector<std::int32_t>& cols) {
  Dense out(static_cast<Index>(rows.size()), static_cast<Index>(cols.size()));
  for (Index r = 0; r < out.rows; ++r) {
    const double* from = a.row(rows[r]);
    for (Index c = 0; c < out.cols; ++c) out(r, c) = from[cols[c]];
  }
  return out;
}

}  // namespace gdkm
