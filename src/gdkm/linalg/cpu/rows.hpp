#pragma once

#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/elementwise.hpp"
#include "gdkm/linalg/cpu/simd.hpp"
#include "gdkm/linalg/inverse_norm.hpp"

namespace gdkm {

namespace detail {
using gdkm::inverse_norm;
}  // namespace detail

template <class T>
void CpuBackend<T>::row_norms(ConstView<T> f, View<T> s) {
  assert(s.size() == f.rows);
  pool_.share(f.rows, detail::row_grain(f.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) s.data[r] = std::sqrt(simd::sum_of_squares(f.row(r), f.cols));
  });
}

template <class T>
void CpuBackend<T>::row_norms_backward(ConstView<T> f, ConstView<T> s, ConstView<T> s_bar, View<T> f_bar) {
  pool_.share(f.rows, detail::row_grain(f.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const T scale = s_bar.data[r] * detail::inverse_norm(s.data[r]);
      for (Index j = 0; j < f.cols; ++j) f_bar.row(r)[j] += scale * f.row(r)[j];
    }
  });
}

template <class T>
void CpuBackend<T>::scale_rows(ConstView<T> s, ConstView<T> a, View<T> out) {
  pool_.share(a.rows, detail::row_grain(a.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const T factor = s.data[r];
      for (Index j = 0; j < a.cols; ++j) out.row(r)[j] = factor * a.row(r)[j];
    }
  });
}

template <class T>
void CpuBackend<T>::add_row(T alpha, ConstView<T> row, View<T> a) {
  pool_.share(a.rows, detail::row_grain(a.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      T* to = a.row(r);
      for (Index j = 0; j < a.cols; ++j) to[j] += alpha * row.data[j];
    }
  });
}

template <class T>
void CpuBackend<T>::column_sums(T alpha, ConstView<T> a, T beta, View<T> sums) {
  // Each thread sums whole columns in the order of the rows, so the number of threads does not matter.
  pool_.share(a.cols, 16, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) sums.data[j] = beta == T(0) ? T(0) : beta * sums.data[j];
    for (Index r = 0; r < a.rows; ++r) {
      const T* row = a.row(r);
      for (Index j = begin; j < end; ++j) sums.data[j] += alpha * row[j];
    }
  });
}

template <class T>
void CpuBackend<T>::gather_rows(ConstView<T> a, const std::int32_t* index, View<T> out) {
  pool_.share(out.rows, detail::row_grain(out.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) std::copy_n(a.row(index[r]), out.cols, out.row(r));
  });
}

template <class T>
void CpuBackend<T>::scatter_rows(ConstView<T> a, const std::int32_t* index, View<T> out) {
  pool_.share(a.rows, detail::row_grain(a.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      T* to = out.row(index[r]);
      for (Index j = 0; j < a.cols; ++j) to[j] += a.row(r)[j];
    }
  });
}

}  // namespace gdkm
