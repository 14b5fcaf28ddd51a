#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/csr.hpp"

namespace gdkm {

/// A row-major float64 matrix on the host with value semantics, for the exact models: their matrices are n ×
/// n, and clear formulas matter more than speed. Products use the threads of the linked BLAS.
struct Dense {
  Index rows = 0, cols = 0;
  std::vector<double> value;

  Dense() = default;
  /// All zero.
  Dense(Index rows_, Index cols_)
      : rows(rows_), cols(cols_), value(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(cols_)) {}
  Dense(Index rows_, Index cols_, std::vector<double> value_);

  double* row(Index r) { return value.data() + r * cols; }
  const double* row(Index r) const { return value.data() + r * cols; }
  double& operator()(Index r, Index c) { return value[static_cast<std::size_t>(r * cols + c)]; }
  double operator()(Index r, Index c) const { return value[static_cast<std::size_t>(r * cols + c)]; }
  View<double> view() { return {value.data(), rows, cols}; }
  ConstView<double> view() const { return {value.data(), rows, cols}; }
};

/// While an object exists, products and factorisations of Dense use this many threads (0: one per core). The
/// setting applies to the whole process, so no backend may run at the same time.
class DenseThreads {
 public:
  explicit DenseThreads(int count);
  ~DenseThreads();
  DenseThreads(const DenseThreads&) = delete;
  DenseThreads& operator=(const DenseThreads&) = delete;

 private:
  struct Setting;
  std::unique_ptr<Setting> setting_;
};

Dense identity(Index n);

/// Calls body(r, c) for every pair r > c, tile by tile, so that both (r, c) and (c, r) stay in the cache.
template <class Body>
void for_each_pair(Index n, Body body) {
  constexpr Index tile = 64;
  for (Index r0 = 0; r0 < n; r0 += tile) {
    for (Index c0 = 0; c0 <= r0; c0 += tile) {
      for (Index r = r0; r < std::min(r0 + tile, n); ++r) {
        for (Index c = c0; c < std::min(c0 + tile, r); ++c) body(r, c);
      }
    }
  }
}

/// op(A) op(B).
Dense multiply(const Dense& a, const Dense& b, Op op_a = Op::none, Op op_b = Op::none);
/// A B with a sparse A.
Dense multiply(const Csr& a, const Dense& b);
/// op(L) B and B op(L), with L lower triangular.
Dense lower_times(Op op, const Dense& l, Dense b);
Dense times_lower(Dense b, Op op, const Dense& l);
/// F Fᵀ, symmetric to the last bit.
Dense gram(const Dense& f);
/// G ← G + F Fᵀ for a symmetric G.
void add_gram(const Dense& f, Dense& g);
/// K ← A K Aᵀ for a symmetric K, with little memory besides K.
void mix_both_sides(const Csr& a, Dense& k);

Dense transpose(const Dense& a);
/// A ← α A + β B.
void add(double alpha, Dense& a, double beta, const Dense& b);
void add_to_diagonal(double value, Dense& a);
/// A ← (A + Aᵀ)/2.
void symmetrise(Dense& a);
/// Copies the lower triangle to the upper one.
void mirror_lower(Dense& a);
/// Sets the entries above the diagonal to 0 and multiplies the diagonal by `diagonal`.
void keep_lower(Dense& a, double diagonal = 1);

std::vector<double> diagonal(const Dense& a);
/// Σ A∘B, which is tr(AᵀB).
double inner_product(const Dense& a, const Dense& b);
/// Rows `rows` and columns `cols` of A.
Dense submatrix(const Dense& a, const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& cols);

}  // namespace gdkm
