#pragma once

#include <cmath>
#include <limits>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/factor_lower.hpp"
#include "gdkm/linalg/cpu/gemm.hpp"

namespace gdkm {

namespace detail {
template <class T>
bool finite(ConstView<T> a) {
  T sum = 0;  // 0 · x is 0 for a finite x, otherwise NaN
  for (Index r = 0; r < a.rows; ++r) {
    const T* row = a.row(r);
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j < a.cols; ++j) sum += T(0) * row[j];
  }
  return sum == T(0);
}
/// Writes identities, so that later results stay finite until the caller checks `used`.
template <class T>
void give_up(View<T> h, View<T> inverse, View<T> used, T why) {
  for (const View<T>& identity : {h, inverse}) {
    for (Index r = 0; r < identity.rows; ++r) {
      std::fill_n(identity.row(r), identity.cols, T(0));
      identity.row(r)[r] = T(1);
    }
  }
  *used.data = why;
}
}  // namespace detail

template <class T>
void CpuBackend<T>::invert_lower(ConstView<T> h, View<T> inverse) {
  constexpr Index small = 48;
  if (h.rows <= small) return simd::invert_rows(h, inverse);
  // [A 0; B C]⁻¹ = [A⁻¹ 0; −C⁻¹BA⁻¹ C⁻¹]
  const Index upper = (h.rows / 2 + 15) / 16 * 16, lower = h.rows - upper;
  const auto block = [](auto a, Index row, Index col, Index rows, Index cols) {
    return a.block_rows(row, rows).block_cols(col, cols);
  };
  const View<T> inverse_a = block(inverse, 0, 0, upper, upper),
                inverse_c = block(inverse, upper, upper, lower, lower);
  invert_lower(block(h, 0, 0, upper, upper), inverse_a);
  invert_lower(block(h, upper, upper, lower, lower), inverse_c);
  const View<T> product(scratch(0, lower * upper), lower, upper);
  shared_product(T(1), {Op::none, block(h, upper, 0, lower, upper)}, {Op::none, inverse_a, Region::lower},
                 T(0), product);
  shared_product(T(-1), {Op::none, inverse_c, Region::lower}, {Op::none, product}, T(0),
                 block(inverse, upper, 0, lower, upper));
  for (Index r = 0; r < upper; ++r) std::fill_n(inverse.row(r) + upper, lower, T(0));
}

template <class T>
void CpuBackend<T>::cholesky(ConstView<T> k, T jitter, View<T> h, View<T> inverse, View<T> used) {
  const Index m = k.rows;
  if (!detail::finite(k)) return detail::give_up(h, inverse, used, std::numeric_limits<T>::quiet_NaN());
  T mean = 0;
  for (Index j = 0; j < m; ++j) mean += k.row(j)[j] / static_cast<T>(m);
  if (!(mean > T(0))) mean = T(1);
  for (; jitter <= T(max_jitter); jitter = raise_jitter(jitter)) {
    for (Index r = 0; r < m; ++r) {
      std::copy_n(k.row(r), r + 1, h.row(r));
      std::fill(h.row(r) + r + 1, h.row(r) + m, T(0));
      h.row(r)[r] += jitter * mean;
    }
    if (!factor_lower(h) || !detail::finite<T>(h)) continue;
    invert_lower(h, inverse);
    if (!detail::finite<T>(inverse)) continue;
    *used.data = jitter;
    return;
  }
  detail::give_up(h, inverse, used, std::numeric_limits<T>::infinity());
}

template <class T>
void CpuBackend<T>::cholesky_of_gram(ConstView<T> f, T jitter, View<T> h, View<T> inverse, View<T> used) {
  const Index m = f.rows, width = f.cols;
  if (!detail::finite(f)) return detail::give_up(h, inverse, used, std::numeric_limits<T>::quiet_NaN());
  T mean = 0;
  for (Index r = 0; r < m; ++r) {
    for (Index j = 0; j < width; ++j) mean += f.row(r)[j] * f.row(r)[j] / static_cast<T>(m);
  }
  if (!(mean > T(0))) mean = T(1);
  const Index work_size = 64 * m;
  T* memory = scratch(0, m * (width + m) + m + work_size);
  const View<T> stacked(memory, m, width + m);  // rows (F_j, √ε e_j): their Gram matrix is F Fᵀ + εI
  T* tau = memory + stacked.size();
  const View<T> work(tau + m, 1, work_size);
  for (; jitter <= T(max_jitter); jitter = raise_jitter(jitter)) {
    const T root = std::sqrt(jitter * mean);
    for (Index r = 0; r < m; ++r) {
      std::copy_n(f.row(r), width, stacked.row(r));
      std::fill_n(stacked.row(r) + width, m, T(0));
      stacked.row(r)[width + r] = root;
    }
    blas::geqrf(stacked, tau, work);
    T least = std::numeric_limits<T>::infinity(), most = 0;
    for (Index r = 0; r < m; ++r) {
      const T d = std::fabs(stacked.row(r)[r]);
      least = std::min(least, d);
      most = std::max(most, d);
    }
    if (!(least > least_diagonal<T>() * most)) continue;
    for (Index c = 0; c < m; ++c) {
      const T sign = stacked.row(c)[c] < T(0) ? T(-1) : T(1);
      for (Index r = 0; r < m; ++r) h.row(r)[c] = r < c ? T(0) : sign * stacked.row(r)[c];
    }
    invert_lower(h, inverse);
    if (!detail::finite<T>(inverse)) continue;
    *used.data = jitter;
    return;
  }
  detail::give_up(h, inverse, used, std::numeric_limits<T>::infinity());
}

}  // namespace gdkm
