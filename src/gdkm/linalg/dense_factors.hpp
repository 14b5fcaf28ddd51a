#pragma once

#include <vector>

#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// K + jitter I = H Hᵀ.
struct Cholesky {
  Dense factor;       // H, zero above the diagonal
  double jitter = 0;  // what was added to the diagonal

  /// log det (K + jitter I).
  double log_det() const;
  /// (K + jitter I)⁻¹ B.
  Dense solve(Dense b) const;
  Dense inverse() const;
};

/// Factorises a symmetric K. `jitter` is relative to the mean
/// diagonal; where it is too little it grows tenfold up to max_jitter, as in Backend::cholesky. A
/// NumericalError where that does not help either, or K is not finite; `what` names K in it.
Cholesky cholesky(Dense k, double jitter, const char* what);

/// B ← op(L)⁻¹ B, with L lower triangular.
Dense solve_lower(Op op, const Dense& l, Dense b);

/// K = Σ_j values_j v_j v_jᵀ, values ascending, v_j the rows of `vectors`.
struct SymmetricEigen {
  std::vector<double> values;
  Dense vectors;
};
SymmetricEigen symmetric_eigen(Dense k);

/// Singular values of a square A, descending, and its right singular vectors, the rows of `right`:
/// AᵀA = Σ_j values_j² v_j v_jᵀ, without squaring the condition number.
struct RightSingular {
  std::vector<double> values;
  Dense right;
};
RightSingular right_singular(Dense a);

}  // namespace gdkm
