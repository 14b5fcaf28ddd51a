#pragma once

#include "gdkm/linalg/dense_factors.hpp"

namespace gdkm {

/// The divergence of a Gram matrix from the one that the layer below proposes:
///
///   KL(N(0, G) ‖ N(0, M)) = ½ (tr(M⁻¹G) − log det G + log det M − n)
///   ∂/∂G = ½ (M⁻¹ − G⁻¹),   ∂/∂M = ½ (M⁻¹ − M⁻¹ G M⁻¹)
///
/// G is factorised once and can be compared with many M.
class GramDivergence {
 public:
  explicit GramDivergence(const Dense& g);

  double value(const Cholesky& m) const;
  Dense gradient_g(const Cholesky& m) const;
  Dense gradient_m(const Cholesky& m) const;

 private:
  Cholesky g_;
};

}  // namespace gdkm
