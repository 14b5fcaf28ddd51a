#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/csr.hpp"
#include "gdkm/linalg/dense_threads.hpp"
#include "gdkm/linalg/device_numbers.hpp"

namespace gdkm {

/// A row-major float64 matrix with value semantics, for the exact models: their matrices are n × n, and clear
/// formulas matter more than speed. It is on the host, where functions use the threads of DenseThreads, or
/// on the device of a backend, which must outlive it (see device_dense.hpp). Functions compute where their
/// matrices are, which must be the same place for all of them.
struct Dense {
  Index rows = 0, cols = 0;
  std::vector<double> value;  // on the host; empty for a matrix on a device

  Dense() = default;
  /// All zero.
  Dense(Index rows_, Index cols_);
  Dense(Index rows_, Index cols_, std::vector<double> value_);
  /// All zero, on a device; on the host if it is null. An InputError says if it does not fit.
  Dense(Index rows_, Index cols_, Backend<double>* device);

  bool empty() const { return rows == 0 || cols == 0; }
  /// Where it is; null for the host.
  Backend<double>* device() const { return numbers_.device(); }

  // Entries, on the host alone.
  double* row(Index r) { return value.data() + r * cols; }
  const double* row(Index r) const { return value.data() + r * cols; }
  double& operator()(Index r, Index c) { return value[static_cast<std::size_t>(r * cols + c)]; }
  double operator()(Index r, Index c) const { return value[static_cast<std::size_t>(r * cols + c)]; }

  View<double> view() { return {device() == nullptr ? value.data() : numbers_.data(), rows, cols}; }
  ConstView<double> view() const {
    return {device() == nullptr ? value.data() : numbers_.data(), rows, cols};
  }

 private:
  DeviceNumbers numbers_;
};

/// A copy of A on the host, or where B is.
Dense to_host(Dense a);
Dense beside(const Dense& b, Dense a);

Dense identity(Index n);

namespace detail {
constexpr Index pair_tile = 64;

/// The pairs whose larger number is in [begin, end).
template <class Body>
void pairs_of_rows(Index begin, Index end, const Body& body) {
  for (Index c0 = 0; c0 < end; c0 += pair_tile) {
    for (Index r = begin; r < end; ++r) {
      for (Index c = c0; c < std::min(c0 + pair_tile, r); ++c) body(r, c);
    }
  }
}
}  // namespace detail

/// Calls body(r, c) for every pair r > c, tile by tile, so that both (r, c) and (c, r) stay in the cache.
template <class Body>
void for_each_pair(Index n, const Body& body) {
  for (Index r = 0; r < n; r += detail::pair_tile)
    detail::pairs_of_rows(r, std::min(r + detail::pair_tile, n), body);
}
/// The same by the threads of DenseThreads, for a body that changes nothing but what belongs to the pair.
template <class Body>
void for_each_pair_at_once(Index n, const Body& body) {
  in_blocks(n, detail::pair_tile, [&](Index begin, Index end) { detail::pairs_of_rows(begin, end, body); });
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
/// K ← P K Pᵀ for a symmetric K; times(S) is P S, for some columns S. Several threads call it at a time.
void mix_both_sides(const std::function<Dense(const Dense& s)>& times, Dense& k);

Dense transpose(const Dense& a);
/// A ← α A + β B.
void add(double alpha, Dense& a, double beta, const Dense& b);
/// A ← α A.
void scale(double alpha, Dense& a);
/// Adds a number to every entry, or to those on the diagonal.
void add_to_all(double value, Dense& a);
void add_to_diagonal(double value, Dense& a);
/// A ← A + α (x yᵀ + y xᵀ).
void add_outer(double alpha, const std::vector<double>& x, const std::vector<double>& y, Dense& a);
/// A ← Aᵀ, on the host alone.
void transpose_in_place(Dense& a);
/// A ← (A + Aᵀ)/2.
void symmetrise(Dense& a);
/// Copies the lower triangle to the upper one.
void mirror_lower(Dense& a);
/// Sets the entries above the diagonal to 0 and multiplies the diagonal by `diagonal`.
void keep_lower(Dense& a, double diagonal = 1);

/// L, zero above the diagonal, of parameters: L_jj = exp(raw_jj), L_rc = raw_rc below the diagonal.
Dense positive_lower(const Dense& raw);
/// Backward: the gradient of the parameters, given that of L, which is zero above the diagonal.
Dense positive_lower_backward(const Dense& l, Dense l_bar);
/// Adam's update in the direction of the gradient, which it ascends.
void adam_ascent(const AdamStep& step, const Dense& gradient, Dense& first, Dense& second, Dense& parameter);

std::vector<double> diagonal(const Dense& a);
/// Σ_r A_rc² of every column c.
std::vector<double> column_squares(const Dense& a);
/// Σ A∘B, which is tr(AᵀB).
double inner_product(const Dense& a, const Dense& b);
/// Rows `rows` and columns `cols` of A.
Dense submatrix(const Dense& a, const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& cols);
Dense gather_rows(const Dense& a, const std::vector<std::int32_t>& rows);
/// The size × size matrix that has the symmetric A in rows and columns `nodes`, which differ, and zeros
/// elsewhere.
Dense spread(const Dense& a, const std::vector<std::int32_t>& nodes, Index size);

}  // namespace gdkm
