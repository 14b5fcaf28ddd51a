#pragma once

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// Gradient of H = chol(K):  K̄ = ½ H⁻ᵀ (P + Pᵀ) H⁻¹,  P the lower triangle of HᵀH̄ with its diagonal halved.
/// This holds however H was computed. Adds K̄ to k_bar. Overwrites `work` (m×m) and `h_bar`, of which only the
/// part on and below the diagonal is read.
template <class T>
void cholesky_backward(Backend<T>& backend, ConstView<T> h, ConstView<T> inverse, View<T> h_bar, View<T> work,
                       View<T> k_bar) {
  backend.gemm_part(T(1), {Op::transpose, h, Region::upper}, {Op::none, h_bar}, T(0), work, Region::lower);
  backend.keep_lower(work, T(0.5));
  backend.gemm_part(T(1), {Op::transpose, inverse, Region::upper}, {Op::none, work, Region::lower}, T(0),
                    h_bar);
  backend.times_lower(h_bar, Op::none, inverse, work);
  backend.symmetrise(work);
  backend.add(T(1), work, T(1), k_bar);
}

}  // namespace gdkm
