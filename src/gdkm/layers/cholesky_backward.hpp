#pragma once

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// Gradient of H = chol(K):  K̄ = ½ H⁻ᵀ (P + Pᵀ) H⁻¹,  P the lower triangle of HᵀH̄ with its diagonal halved.
/// It holds for any way of computing H. k_bar += K̄; `h_bar` and `work` (m×m) are overwritten.
template <class T>
void cholesky_backward(Backend<T>& backend, ConstView<T> h, View<T> h_bar, View<T> work, View<T> k_bar) {
  backend.gemm(T(1), Op::transpose, h, Op::none, h_bar, T(0), work);
  backend.keep_lower(work, T(0.5));
  backend.solve_lower(Op::transpose, h, work);  // H⁻ᵀ P
  // (H⁻ᵀ P H⁻¹)ᵀ = H⁻ᵀ (H⁻ᵀ P)ᵀ; symmetrising makes the transpose immaterial.
  backend.transpose(work, h_bar);
  backend.solve_lower(Op::transpose, h, h_bar);
  backend.symmetrise(h_bar);
  backend.add(T(1), h_bar, T(1), k_bar);
}

}  // namespace gdkm
