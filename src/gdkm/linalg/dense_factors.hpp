#pragma once

#include <string>
#include <vector>

#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// Throws a NumericalError, in which `what` names A, if it is not finite.
void check_finite(const Dense& a, const std::string& what);

/// K + jitter I = H Hᵀ.
struct Cholesky {
  Dense factor;       // H, zero above the diagonal
  double jitter = 0;  // the value added to the diagonal

  /// log det (K + jitter I).
  double log_det() const;
  /// (K + jitter I)⁻¹ B.
  Dense solve(Dense b) const;
  Dense inverse() const;
};

/// Factorises a symmetric K. `jitter` is relative to the mean diagonal; if it is too small it grows tenfold
/// up to max_jitter, as in Backend::cholesky. Throws a NumericalError, in which `what` names K, if that fails
/// as well or K is not finite.
Cholesky cholesky(Dense k, double jitter, const char* what);

/// B ← op(L)⁻¹ B, with L lower triangular.
Dense solve_lower(Op op, const Dense& l, Dense b);

/// K = Σ_j values_j v_j v_jᵀ with ascending values; v_j are the rows of `vectors`.
struct SymmetricEigen {
  std::vector<double> values;
  Dense vectors;
};
/// On the host alone.
SymmetricEigen symmetric_eigen(Dense k);

/// The singular values of a square A, descending, and its right singular vectors, which are the rows of
/// `right`: AᵀA = Σ_j values_j² v_j v_jᵀ. The condition number is not squared.
struct RightSingular {
  std::vector<double> values;
  Dense right;
};
/// On the host alone.
RightSingular right_singular(Dense a);

}  // namespace gdkm
