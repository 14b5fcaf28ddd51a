#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/elementwise.hpp"

namespace gdkm {

namespace detail {
/// Sums over rows are computed in strips of this many columns, in double precision, each by one thread, so
/// the result does not depend on the number of threads.
inline constexpr Index column_strip = 16;
using StripSums = std::array<double, column_strip>;

/// Calls body(r, first, count) for every row and every strip of columns [first, first + count) of [begin,
/// end).
template <class Body>
void for_strips(Index begin, Index end, Body body) {
  for (Index first = begin; first < end; first += column_strip) {
    body(first, std::min(column_strip, end - first));
  }
}
}  // namespace detail

template <class T>
void CpuBackend<T>::column_moments(ConstView<T> x, View<T> mean, View<T> variance) {
  assert(mean.size() == x.cols && variance.size() == x.cols);
  const auto rows = static_cast<double>(x.rows);
  pool_.share(x.cols, detail::column_strip, [&](Index begin, Index end) {
    detail::for_strips(begin, end, [&](Index first, Index count) {
      detail::StripSums sum{}, square{};
      for (Index r = 0; r < x.rows; ++r) {
        for (Index j = 0; j < count; ++j) sum[j] += static_cast<double>(x.row(r)[first + j]);
      }
      for (Index j = 0; j < count; ++j) sum[j] /= rows;
      for (Index r = 0; r < x.rows; ++r) {
        for (Index j = 0; j < count; ++j) {
          const double centred = static_cast<double>(x.row(r)[first + j]) - sum[j];
          square[j] += centred * centred;
        }
      }
      for (Index j = 0; j < count; ++j) {
        mean.data[first + j] = static_cast<T>(sum[j]);
        variance.data[first + j] = static_cast<T>(square[j] / rows);
      }
    });
  });
}

template <class T>
void CpuBackend<T>::standardise(ConstView<T> mean, ConstView<T> variance, T epsilon, View<T> x) {
  assert(mean.size() == x.cols && variance.size() == x.cols);
  pool_.share(x.rows, detail::row_grain(x.cols), [&](Index begin, Index end) {
    detail::for_strips(0, x.cols, [&](Index first, Index count) {
      std::array<T, detail::column_strip> inverse;
      for (Index j = 0; j < count; ++j) inverse[j] = T(1) / std::sqrt(variance.data[first + j] + epsilon);
      for (Index r = begin; r < end; ++r) {
        T* row = x.row(r) + first;
        for (Index j = 0; j < count; ++j) row[j] = (row[j] - mean.data[first + j]) * inverse[j];
      }
    });
  });
}

template <class T>
void CpuBackend<T>::standardise_backward(ConstView<T> out, ConstView<T> variance, T epsilon, View<T> x_bar) {
  assert(out.rows == x_bar.rows && out.cols == x_bar.cols && variance.size() == out.cols);
  const auto rows = static_cast<double>(out.rows);
  pool_.share(out.cols, detail::column_strip, [&](Index begin, Index end) {
    detail::for_strips(begin, end, [&](Index first, Index count) {
      detail::StripSums sum{}, along{};
      for (Index r = 0; r < out.rows; ++r) {
        const T *y = out.row(r) + first, *bar = x_bar.row(r) + first;
        for (Index j = 0; j < count; ++j) {
          sum[j] += static_cast<double>(bar[j]);
          along[j] += static_cast<double>(bar[j]) * static_cast<double>(y[j]);
        }
      }
      std::array<T, detail::column_strip> inverse, mean, slope;
      for (Index j = 0; j < count; ++j) {
        inverse[j] = T(1) / std::sqrt(variance.data[first + j] + epsilon);
        mean[j] = static_cast<T>(sum[j] / rows);
        slope[j] = static_cast<T>(along[j] / rows);
      }
      for (Index r = 0; r < out.rows; ++r) {
        const T* y = out.row(r) + first;
        T* bar = x_bar.row(r) + first;
        for (Index j = 0; j < count; ++j) bar[j] = (bar[j] - mean[j] - y[j] * slope[j]) * inverse[j];
      }
    });
  });
}

}  // namespace gdkm
