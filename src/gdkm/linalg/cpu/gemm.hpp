#pragma once

#include <algorithm>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/panels.hpp"

namespace gdkm {

namespace detail {
/// Products with at most this many entries are split over the terms of their sums, larger ones over rows or
/// columns.
inline constexpr Index largest_shared_sum = 160000;
/// Products with more rows than this are split over rows, and each thread has its own panels.
inline constexpr Index many_rows = 1024;
/// Products with fewer terms than this are not worth a second thread.
inline constexpr Index small_product = 32 * small_work;

/// Rows [begin, begin + count) of op(A), or columns, as a block of the stored matrix.
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
template <std::size_t count>
std::array<panels::Panels<T>, count> CpuBackend<T>::in_panels(const Factor<T> (&factors)[count]) {
  std::array<std::size_t, count + 1> start{};
  for (std::size_t f = 0; f < count; ++f)
    start[f + 1] = start[f] + static_cast<std::size_t>(panels::size<T>(factors[f].rows(), factors[f].cols()));
  if (shared_panels_.size() < start[count]) shared_panels_.resize(start[count]);
  std::array<panels::Panels<T>, count> out;
  const auto threads = static_cast<std::size_t>(pool_.size());
  pool_.run([&](int thread) {
    for (std::size_t f = 0; f < count; ++f) {
      if (f % threads == static_cast<std::size_t>(thread))
        out[f] = panels::pack(factors[f], shared_panels_.data() + start[f]);
    }
  });
  return out;
}

template <class T>
void CpuBackend<T>::shared_product(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c,
                                   Region wanted) {
  const int threads = c.size() * b.rows() < detail::small_product ? 1 : pool_.size();
  const auto columns = [&](int thread, Index begin, Index end) {
    if (begin >= end) return;
    panels::product(alpha, a, b, beta, c.block_cols(begin, end - begin), wanted, 0, begin, packing(thread));
  };
  if (threads == 1) return columns(0, 0, c.cols);
  // Cut only between vectors.
  const Index step = panels::lanes<T>(), steps = (c.cols + step - 1) / step;
  const auto cost = [&](Index at) { return panels::cost(a, b, c.rows, wanted, at * step, step); };
  Index whole = 0;
  for (Index at = 0; at < steps; ++at) whole += cost(at);
  // The cut that is nearest to an equal share for the threads before it.
  const auto cut = [&](int thread) {
    Index at = 0;
    for (Index before = 0; at < steps; ++at) {
      const Index next = cost(at);
      if ((2 * before + next) * threads > 2 * whole * thread) break;
      before += next;
    }
    return std::min(c.cols, at * step);
  };
  pool_.run(
      [&](int thread) { columns(thread, cut(thread), thread + 1 == threads ? c.cols : cut(thread + 1)); });
}

template <class T>
void CpuBackend<T>::gemm(T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta, View<T> c) {
  if (c.empty()) return;
  const Index inner = op_a == Op::none ? a.cols : a.rows;
  assert((op_a == Op::none ? a.rows : a.cols) == c.rows && (op_b == Op::none ? b.cols : b.rows) == c.cols);
  assert((op_b == Op::none ? b.rows : b.cols) == inner);
  if (inner == 0) return beta == T(0) ? fill(c, T(0)) : add(T(0), c, beta, c);
  const int threads = pool_.size();

  // A small matrix with long sums: every thread adds up its share of the terms.
  if (threads > 1 && inner > 4 * std::max(c.rows, c.cols) && c.size() <= detail::largest_shared_sum &&
      c.size() * inner >= detail::small_product) {
    pool_.run([&](int k) {
      const View<T> part(scratch(k, c.rows * c.cols), c.rows, c.cols);
      const Index begin = inner * k / threads, end = inner * (k + 1) / threads;
      panels::product<T>(alpha, {op_a, detail::op_cols(op_a, a, begin, end - begin)},
                         {op_b, detail::op_rows(op_b, b, begin, end - begin)}, T(0), part, Region::all, 0, 0,
                         packing(k));
    });
    return sum_scratch(threads, 0, beta, c);
  }
  if (c.rows <= detail::many_rows) return shared_product(alpha, {op_a, a}, {op_b, b}, beta, c);
  times_by_rows(alpha, {op_a, a}, {op_b, b}, beta, c);
}

template <class T>
void CpuBackend<T>::times_by_rows(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c) {
  const Index grain = std::max<Index>(16, detail::small_product / std::max<Index>(1, c.cols * b.rows()));
  const Index shares = std::min<Index>(pool_.size(), (c.rows + grain - 1) / grain);
  const auto body = [&](int k) {
    if (k >= shares) return;
    const Index begin = c.rows * k / shares, count = c.rows * (k + 1) / shares - begin;
    panels::product<T>(alpha, {a.op, detail::op_rows(a.op, a.view, begin, count), a.part}, b, beta,
                       c.block_rows(begin, count), Region::all, begin, 0, packing(k));
  };
  shares == 1 ? body(0) : pool_.run(body);
}

template <class T>
void CpuBackend<T>::gemm_part(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c,
                              Region wanted) {
  assert(a.rows() == c.rows && b.cols() == c.cols && a.cols() == b.rows());
  shared_product(alpha, a, b, beta, c, wanted);
}

template <class T>
void CpuBackend<T>::gram(ConstView<T> f, View<T> g) {
  shared_product(T(1), {Op::none, f}, {Op::transpose, f}, T(0), g, Region::lower);
  mirror_lower(g);
}

template <class T>
void CpuBackend<T>::times_lower(ConstView<T> a, Op op, ConstView<T> l, View<T> c) {
  assert(a.cols == l.rows && l.rows == l.cols && c.rows == a.rows && c.cols == a.cols);
  const Factor<T> right{op, l, op == Op::none ? Region::lower : Region::upper};
  if (c.rows <= detail::many_rows) return shared_product(T(1), {Op::none, a}, right, T(0), c);
  times_by_rows(T(1), {Op::none, a}, right, T(0), c);
}

template <class T>
void CpuBackend<T>::lower_product(ConstView<T> a, ConstView<T> b, T beta, View<T> c) {
  assert(a.rows == b.rows && a.cols == c.rows && b.cols == c.cols && c.rows == c.cols);
  shared_product(T(1), {Op::transpose, a}, {Op::none, b}, beta, c, Region::lower);
}

}  // namespace gdkm
