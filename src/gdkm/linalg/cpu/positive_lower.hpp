#pragma once

#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/elementwise.hpp"

namespace gdkm {

template <class T>
void CpuBackend<T>::positive_lower(ConstView<T> raw, View<T> l) {
  pool_.share(l.rows, detail::row_grain(l.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      std::copy_n(raw.row(r), r, l.row(r));
      l.row(r)[r] = std::exp(raw.row(r)[r]);
      std::fill(l.row(r) + r + 1, l.row(r) + l.cols, T(0));
    }
  });
}

template <class T>
void CpuBackend<T>::lower_parameter(ConstView<T> l, View<T> raw) {
  for (Index r = 0; r < l.rows; ++r) {
    std::copy_n(l.row(r), r, raw.row(r));
    raw.row(r)[r] = std::log(l.row(r)[r]);
    std::fill(raw.row(r) + r + 1, raw.row(r) + raw.cols, T(0));
  }
}

template <class T>
void CpuBackend<T>::positive_lower_backward(ConstView<T> l, ConstView<T> l_bar, View<T> raw_bar) {
  for (Index r = 0; r < l.rows; ++r) {
    for (Index j = 0; j < r; ++j) raw_bar.row(r)[j] += l_bar.row(r)[j];
    raw_bar.row(r)[r] += l_bar.row(r)[r] * l.row(r)[r];
  }
}

template <class T>
void CpuBackend<T>::normal_kl(ConstView<T> l, T weight, View<T> l_bar, View<T> value) {
  double kl = 0;
  for (Index r = 0; r < l.rows; ++r) {
    const T* row = l.row(r);
    T* bar = l_bar.row(r);
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (Index j = 0; j < r; ++j) {
      squares += static_cast<double>(row[j]) * static_cast<double>(row[j]);
      bar[j] += weight * row[j];
    }
    const T d = row[r];
    kl += squares + static_cast<double>(d) * d - 2 * std::log(static_cast<double>(d)) - 1;
    bar[r] += weight * (d - T(1) / d);
  }
  *value.data = static_cast<T>(0.5 * kl);
}

}  // namespace gdkm
