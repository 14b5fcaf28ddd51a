#pragma once

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/kernel_rows.hpp"
#include "gdkm/linalg/cpu/rows.hpp"

namespace gdkm {

template <class T>
void CpuBackend<T>::kernel_matrix(KernelKind kind, ConstView<T> g, ConstView<T> s, View<T> k) {
  const Index m = g.rows;
  T* inverse = scratch(0, m);
  for (Index j = 0; j < m; ++j) inverse[j] = detail::inverse_norm(s.data[j]);
  with_kernel(kind, [&]<template <class> class K>() {
    pool_.share(m, 16, [&](Index begin, Index end) {
      for (Index r = begin; r < end; ++r) {
        std::copy_n(g.row(r), m, k.row(r));
        detail::KernelRows<K, T>::value(k.row(r), s.data[r], inverse[r], s.data, inverse, m);
        k.row(r)[r] = K<T>::diagonal(s.data[r]);
      }
    });
  });
}

template <class T>
void CpuBackend<T>::kernel_matrix_backward(KernelKind kind, ConstView<T> g, ConstView<T> s,
                                           ConstView<T> k_bar, View<T> g_bar, View<T> s_bar) {
  const Index m = g.rows;
  const int threads = m * m < small_work ? 1 : pool_.size();
  with_kernel(kind, [&]<template <class> class K>() {
    const auto body = [&](int k) {
      T* sj_bar = scratch(k, 3 * m);
      T *inverse = sj_bar + m, *row = inverse + m;
      for (Index j = 0; j < m; ++j) inverse[j] = detail::inverse_norm(s.data[j]);
      std::fill_n(sj_bar, m, T(0));
      for (Index r = m * k / threads; r < m * (k + 1) / threads; ++r) {
        std::copy_n(g.row(r), m, row);
        std::copy_n(k_bar.row(r), m, g_bar.row(r));
        g_bar.row(r)[r] = T(0);
        s_bar.data[r] += detail::KernelRows<K, T>::backward(row, g_bar.row(r), s.data[r], inverse[r], s.data,
                                                            inverse, sj_bar, m);
        s_bar.data[r] += k_bar.row(r)[r] * K<T>::diagonal_gradient(s.data[r]);
      }
    };
    threads == 1 ? body(0) : pool_.run(body);
  });
  sum_scratch(threads, 0, T(1), View<T>(s_bar.data, 1, m));
}

}  // namespace gdkm
