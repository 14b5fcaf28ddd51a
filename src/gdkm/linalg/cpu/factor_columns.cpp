#include "gdkm/linalg/cpu/factor_columns.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/linalg/cpu/every_isa.hpp"

namespace gdkm::simd {

namespace {

/// H_1 in place of A_1, row by row; `inverse` becomes 1 / its diagonal.
template <class T>
inline bool factor_square(View<T> a, T* inverse) {
  for (Index j = 0; j < a.cols; ++j) {
    T* row = a.row(j);
    for (Index k = 0; k < j; ++k) {
      for (Index i = 0; i < k; ++i) row[k] -= row[i] * a.row(k)[i];
      row[k] *= inverse[k];
    }
    for (Index i = 0; i < j; ++i) row[j] -= row[i] * row[i];
    if (!(row[j] > T(0))) return false;
    row[j] = std::sqrt(row[j]);
    inverse[j] = T(1) / row[j];
    std::fill(row + j + 1, row + a.cols, T(0));
  }
  return true;
}

/// A_2 ← A_2 H_1⁻ᵀ. The columns of a few rows at a time are copied to adjacent memory, so that loops over
/// rows become vectors.
template <class T>
inline void substitute_rows(ConstView<T> h, const T* inverse, View<T> a) {
  constexpr Index batch = 32;
  T column[factor_width][batch] = {};
  for (Index first = 0; first < a.rows; first += batch) {
    const Index rows = std::min(batch, a.rows - first);
    for (Index r = 0; r < rows; ++r) {
      for (Index j = 0; j < a.cols; ++j) column[j][r] = a.row(first + r)[j];
    }
    for (Index j = 0; j < a.cols; ++j) {
      for (Index k = 0; k < j; ++k) {
        const T factor = h.row(j)[k];
        for (Index r = 0; r < batch; ++r) column[j][r] -= factor * column[k][r];
      }
      for (Index r = 0; r < batch; ++r) column[j][r] *= inverse[j];
    }
    for (Index r = 0; r < rows; ++r) {
      for (Index j = 0; j < a.cols; ++j) a.row(first + r)[j] = column[j][r];
    }
  }
}

template <class T>
inline bool factor(View<T> a) {
  T inverse[factor_width];
  const View<T> square = a.block_rows(0, a.cols);
  if (!factor_square(square, inverse)) return false;
  substitute_rows<T>(square, inverse, a.block_rows(a.cols, a.rows - a.cols));
  return true;
}

/// Row by row: (H⁻¹)_r = (e_r − Σ_k H_rk (H⁻¹)_k) / H_rr.
template <class T>
inline void substitute(ConstView<T> h, View<T> inverse) {
  for (Index r = 0; r < h.rows; ++r) {
    T* row = inverse.row(r);
    std::fill_n(row, h.rows, T(0));
    for (Index k = 0; k < r; ++k) {
      const T factor = h.row(r)[k];
      const T* from = inverse.row(k);
#pragma omp simd
      for (Index j = 0; j <= k; ++j) row[j] -= factor * from[j];
    }
    const T scale = T(1) / h.row(r)[r];
    for (Index j = 0; j < r; ++j) row[j] *= scale;
    row[r] = scale;
  }
}

}  // namespace

GDKM_EVERY_ISA bool factor_columns(View<float> a) {
  return factor(a);
}
GDKM_EVERY_ISA bool factor_columns(View<double> a) {
  return factor(a);
}

GDKM_EVERY_ISA void invert_rows(ConstView<float> h, View<float> inverse) {
  substitute(h, inverse);
}
GDKM_EVERY_ISA void invert_rows(ConstView<double> h, View<double> inverse) {
  substitute(h, inverse);
}

}  // namespace gdkm::simd
