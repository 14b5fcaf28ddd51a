#pragma once

#include <algorithm>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/kernel_rows.hpp"
#include "gdkm/linalg/cpu/panels.hpp"
#include "gdkm/linalg/cpu/rows.hpp"

namespace gdkm {

namespace detail {
/// The number of rows of a block, chosen so that it stays in the second-level cache during product →
/// nonlinearity → product. With more rows, the backward pass would add up too many terms at a time
/// (panels.cpp).
template <class T>
Index block_rows(Index inducing) {
  const Index fit = Index{1 << 18} / (std::max<Index>(inducing, 1) * static_cast<Index>(sizeof(T)));
  return std::clamp<Index>(fit / 16 * 16, 32, 128);
}
inline Region part_of(Fill fill, Op op) {
  if (fill == Fill::full) return Region::all;
  return op == Op::none ? Region::lower : Region::upper;
}

/// out ← β out + diag(weight) F.
template <class T>
void add_rows(const T* weight, ConstView<T> f, T beta, View<T> out) {
  for (Index r = 0; r < f.rows; ++r) {
    const T* from = f.row(r);
    T* to = out.row(r);
    const T w = weight[r];
    if (beta == T(0)) {
      for (Index j = 0; j < f.cols; ++j) to[j] = w * from[j];
    } else {
      for (Index j = 0; j < f.cols; ++j) to[j] += w * from[j];
    }
  }
}
}  // namespace detail

template <class T>
void CpuBackend<T>::kernel_times(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i,
                                 ConstView<T> s_i, Fill fill, ConstView<T> s, View<T> out, View<T> kept) {
  const Index n = f_t.rows, m = f_i.rows, block = detail::block_rows<T>(m);
  const auto packed = in_panels({{Op::transpose, f_i, detail::part_of(fill, Op::transpose)}, {Op::none, s}});
  with_kernel(kind, [&]<template <class> class K>() {
    pool_.run([&](int thread) {
      T* inverse = scratch(thread, m + block * m);
      for (Index j = 0; j < m; ++j) inverse[j] = detail::inverse_norm(s_i.data[j]);
      const Index last = n * (thread + 1) / pool_.size();
      for (Index begin = n * thread / pool_.size(); begin < last; begin += block) {
        const Index rows = std::min(block, last - begin);
        const View<T> k(inverse + m, rows, m);
        panels::times<T>(T(1), {Op::none, f_t.block_rows(begin, rows)}, packed[0], T(0), k);
        for (Index r = 0; r < rows; ++r) {
          const T norm = s_t.data[begin + r];
          if (!kept.empty()) std::copy_n(k.row(r), m, kept.row(begin + r));
          detail::KernelRows<K, T>::value(k.row(r), norm, detail::inverse_norm(norm), s_i.data, inverse, m);
        }
        panels::times<T>(T(1), {Op::none, k}, packed[1], T(0), out.block_rows(begin, rows));
      }
    });
  });
}

template <class T>
void CpuBackend<T>::kernel_times_backward(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t,
                                          ConstView<T> f_i, ConstView<T> s_i, Fill fill, ConstView<T> s,
                                          ConstView<T> out_bar, View<T> s_bar, T beta, View<T> f_t_bar,
                                          View<T> f_i_bar, View<T> s_i_bar, View<T> s_t_bar,
                                          ConstView<T> kept) {
  const Index n = f_t.rows, m = f_i.rows, width = f_i.cols, block = detail::block_rows<T>(m);
  const Index sums = m * s.cols + m * width + m;
  const Region wanted = detail::part_of(fill, Op::none);
  const auto packed = in_panels({{Op::transpose, f_i, detail::part_of(fill, Op::transpose)},
                                 {Op::transpose, s},
                                 {Op::none, f_i, detail::part_of(fill, Op::none)}});
  with_kernel(kind, [&]<template <class> class K>() {
    pool_.run([&](int thread) {
      T* memory = scratch(thread, sums + m + 2 * block * m + block);
      T* copy = packing(thread);
      std::fill_n(memory, sums, T(0));
      const View<T> my_s_bar(memory, m, s.cols), my_f_i_bar(memory + m * s.cols, m, width);
      T* my_s_i_bar = memory + m * s.cols + m * width;
      T* inverse = memory + sums;
      T* norm_part = inverse + m + 2 * block * m;
      for (Index j = 0; j < m; ++j) inverse[j] = detail::inverse_norm(s_i.data[j]);
      const Index last = n * (thread + 1) / pool_.size();
      for (Index begin = n * thread / pool_.size(); begin < last; begin += block) {
        const Index rows = std::min(block, last - begin);
        const auto f = f_t.block_rows(begin, rows);
        const auto f_bar = f_t_bar.block_rows(begin, rows);
        const auto o_bar = out_bar.block_rows(begin, rows);
        const View<T> k(inverse + m, rows, m), g_bar(inverse + m + block * m, rows, m);
        if (kept.empty()) panels::times<T>(T(1), {Op::none, f}, packed[0], T(0), k);
        panels::times<T>(T(1), {Op::none, o_bar}, packed[1], T(0), g_bar);  // K̄
        for (Index r = 0; r < rows; ++r) {
          const T norm = s_t.data[begin + r], inv = detail::inverse_norm(norm);
          if (!kept.empty()) std::copy_n(kept.row(begin + r), m, k.row(r));
          const T norm_bar = detail::KernelRows<K, T>::backward(k.row(r), g_bar.row(r), norm, inv, s_i.data,
                                                                inverse, my_s_i_bar, m);
          norm_part[r] = s_t_bar.empty() ? norm_bar * inv : T(0);
          if (!s_t_bar.empty()) s_t_bar.data[begin + r] += norm_bar;
        }
        panels::product<T>(T(1), {Op::transpose, k}, {Op::none, o_bar}, T(1), my_s_bar, Region::all, 0, 0,
                           copy);
        panels::product<T>(T(1), {Op::transpose, g_bar}, {Op::none, f}, T(1), my_f_i_bar, wanted, 0, 0, copy);
        detail::add_rows<T>(norm_part, f, beta, f_bar);
        panels::times<T>(T(1), {Op::none, g_bar}, packed[2], T(1), f_bar);
      }
    });
  });
  sum_scratch(pool_.size(), 0, T(0), s_bar);
  sum_scratch(pool_.size(), m * s.cols, T(1), f_i_bar);
  sum_scratch(pool_.size(), m * s.cols + m * width, T(1), s_i_bar);
}

}  // namespace gdkm
