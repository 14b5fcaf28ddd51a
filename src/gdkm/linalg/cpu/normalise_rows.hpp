#pragma once

#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/elementwise.hpp"

namespace gdkm {

template <class T>
void CpuBackend<T>::normalise_rows(T epsilon, View<T> x, View<T> length) {
  assert(length.size() == x.rows);
  const T width = static_cast<T>(x.cols);
  pool_.share(x.rows, detail::row_grain(x.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      T* row = x.row(r);
      T sum = 0;
#pragma omp simd reduction(+ : sum)
      for (Index j = 0; j < x.cols; ++j) sum += row[j] * row[j];
      length.data[r] = std::sqrt(sum / width + epsilon);
      const T inverse = T(1) / length.data[r];
      for (Index j = 0; j < x.cols; ++j) row[j] *= inverse;
    }
  });
}

template <class T>
void CpuBackend<T>::normalise_rows_backward(ConstView<T> out, ConstView<T> length, View<T> x_bar) {
  assert(out.rows == x_bar.rows && out.cols == x_bar.cols && length.size() == out.rows);
  const T width = static_cast<T>(out.cols);
  pool_.share(out.rows, detail::row_grain(out.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const T* y = out.row(r);
      T* bar = x_bar.row(r);
      T along = 0;
#pragma omp simd reduction(+ : along)
      for (Index j = 0; j < out.cols; ++j) along += y[j] * bar[j];
      const T slope = along / width, inverse = T(1) / length.data[r];
      for (Index j = 0; j < out.cols; ++j) bar[j] = (bar[j] - y[j] * slope) * inverse;
    }
  });
}

}  // namespace gdkm
