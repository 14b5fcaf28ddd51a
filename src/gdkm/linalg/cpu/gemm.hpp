#pragma once

#include <algorithm>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"

namespace gdkm {

namespace detail {
/// Sums into matrices of at most this many entries are shared out over their terms; larger ones over rows or
/// columns.
inline constexpr Index largest_shared_sum = 160000;

/// Rows [begin, begin + count) of op(A), or columns of op(B), as a block of the stored matrix.
template <class T>
ConstView<T> op_rows(Op op, ConstView<T> a, Index begin, Index count) {
  return op == Op::none ? a.block_rows(begin, count) : a.block_cols(begin, count);
}
template <class T>
ConstView<T> op_cols(Op op, ConstView<T> a, Index begin, Index count) {
  return op == Op::none ? a.block_cols(begin, count) : a.block_rows(begin, count);
}
}  // namespace detail

template <class T>
void CpuBackend<T>::gemm(T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta, View<T> c) {
  if (c.empty()) return;
  const Index inner = op_a == Op::none ? a.cols : a.rows;
  assert((op_a == Op::none ? a.rows : a.cols) == c.rows && (op_b == Op::none ? b.cols : b.rows) == c.cols);
  assert((op_b == Op::none ? b.rows : b.cols) == inner);
  if (inner == 0) return fill(c, T(0));
  const int threads = pool_.size();
  if (threads == 1 || c.rows * c.cols * inner < 32 * small_work)
    return blas::gemm(alpha, op_a, a, op_b, b, beta, c);

  // A long sum into a small matrix: every thread adds up its share of the terms.
  if (inner > 4 * std::max(c.rows, c.cols) && c.size() <= detail::largest_shared_sum) {
    pool_.run([&](int k) {
      T* part = scratch(k, c.rows * c.cols);
      const Index begin = inner * k / threads, end = inner * (k + 1) / threads;
      blas::gemm(alpha, op_a, detail::op_cols(op_a, a, begin, end - begin), op_b,
                 detail::op_rows(op_b, b, begin, end - begin), T(0), View<T>(part, c.rows, c.cols));
    });
    return sum_scratch(threads, 0, beta, c);
  }
  if (c.rows >= c.cols) {
    pool_.share(c.rows, 16, [&](Index begin, Index end) {
      blas::gemm(alpha, op_a, detail::op_rows(op_a, a, begin, end - begin), op_b, b, beta,
                 c.block_rows(begin, end - begin));
    });
  } else {
    pool_.share(c.cols, 16, [&](Index begin, Index end) {
      blas::gemm(alpha, op_a, a, op_b, detail::op_cols(op_b, b, begin, end - begin), beta,
                 c.block_cols(begin, end - begin));
    });
  }
}

template <class T>
void CpuBackend<T>::solve_lower(Op op, ConstView<T> l, View<T> b) {
  assert(l.rows == l.cols && l.rows == b.rows);
  pool_.share(b.cols, 32,
              [&](Index begin, Index end) { blas::trsm(op, l, b.block_cols(begin, end - begin)); });
}

}  // namespace gdkm
