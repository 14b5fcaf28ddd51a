#pragma once

#include <algorithm>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/factor_columns.hpp"
#include "gdkm/linalg/cpu/panels.hpp"

namespace gdkm {

namespace detail {
/// Larger matrices do not stay in the second-level cache while all block columns are processed.
inline constexpr Index largest_factored = 768;
}  // namespace detail

/// Block column by block column: A_j ← A_j − H_j H_1ᵀ, where H_j is what precedes it in its rows and H_1 in
/// its first rows, is one product with long sums; then H_jj and what is below it. On a few hundred rows this
/// takes half the time of a LAPACK, which is made for larger matrices.
template <class T>
bool CpuBackend<T>::factor_lower(View<T> h) {
  if (h.rows > detail::largest_factored) return blas::potrf(h) == 0;
  constexpr Index width = simd::factor_width;
  for (Index j = 0; j < h.rows; j += width) {
    const Index cols = std::min(width, h.rows - j), rows = h.rows - j;
    const ConstView<T> before = h.block_rows(j, rows).block_cols(0, j);
    const View<T> column = h.block_rows(j, rows).block_cols(j, cols);
    if (j > 0) {
      panels::product<T>(T(-1), {Op::none, before}, {Op::transpose, before.block_rows(0, cols)}, T(1), column,
                         Region::all, 0, 0, packing(0));
    }
    if (!simd::factor_columns(column)) return false;
  }
  return true;
}

}  // namespace gdkm
