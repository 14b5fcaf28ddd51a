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
  if (inner == 0) return beta == T(0) ? fill(c, T(0)) : add(T(0), c, beta, c);
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
void CpuBackend<T>::gram(ConstView<T> f, View<T> g) {
  // Strips of rows, each up to its diagonal; thread k takes the strips k, 2·threads − 1 − k, 2·threads + k,
  // …, which are together about as long as any other's.
  const int threads = g.rows * g.rows * f.cols < 32 * small_work ? 1 : pool_.size();
  const Index strip = std::max<Index>(32, (g.rows + 4 * threads - 1) / (4 * threads));
  const Index strips = (g.rows + strip - 1) / strip;
  const auto body = [&](int k) {
    for (Index s = 0; s < strips; ++s) {
      const Index turn = s % (2 * threads);
      if (std::min(turn, 2 * threads - 1 - turn) != k) continue;
      const Index begin = s * strip, rows = std::min(strip, g.rows - begin);
      blas::gemm(T(1), Op::none, f.block_rows(begin, rows), Op::transpose, f.block_rows(0, begin + rows),
                 T(0), View<T>(g.row(begin), rows, begin + rows, g.stride));
    }
  };
  if (threads == 1) {
    body(0);
  } else {
    pool_.run(body);
  }
  for (Index r = 0; r < g.rows; ++r) {
    for (Index c = 0; c < r; ++c) g.row(c)[r] = g.row(r)[c];
  }
}

template <class T>
void CpuBackend<T>::times_lower(ConstView<T> a, Op op, ConstView<T> l, View<T> c) {
  assert(a.cols == l.rows && l.rows == l.cols && c.rows == a.rows && c.cols == a.cols);
  pool_.share(c.rows, 16, [&](Index begin, Index end) {
    blas::trmm(a.block_rows(begin, end - begin), op, l, c.block_rows(begin, end - begin));
  });
}

template <class T>
void CpuBackend<T>::lower_product(ConstView<T> a, ConstView<T> b, T beta, View<T> c) {
  assert(a.rows == b.rows && a.cols == c.rows && b.cols == c.cols && c.rows == c.cols);
  const int threads = c.rows * c.cols * a.rows < 32 * small_work ? 1 : pool_.size();
  if (threads == 1) return blas::lower_product(a, b, beta, c);
  pool_.run([&](int k) {
    const View<T> part(scratch(k, c.size()), c.rows, c.cols);
    std::fill_n(part.data, part.size(), T(0));
    const Index begin = a.rows * k / threads, rows = a.rows * (k + 1) / threads - begin;
    blas::lower_product(a.block_rows(begin, rows), b.block_rows(begin, rows), T(0), part);
  });
  sum_scratch(threads, 0, beta, c);
}

}  // namespace gdkm
