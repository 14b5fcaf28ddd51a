#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// (K + s I)⁻¹ Y for many s, from one reduction of the symmetric K to tridiagonal form:
///
///   K = Q T Qᵀ,   (K + s I)⁻¹ Y = Q (T + s I)⁻¹ (QᵀY)
///
/// The reduction is a small part of the work of K's eigenvectors, and each s costs O(t²) for every column of
/// Y.
class ShiftedSolves {
 public:
  /// K is t × t, Y t × C, both on the host. A NumericalError says if K is not finite.
  ShiftedSolves(Dense k, const Dense& y);

  /// Row s C + c is (K + shifts_s I)⁻¹ y_c. Nothing if one of these matrices is not positive definite.
  std::optional<Dense> at(std::span<const double> shifts) const;

 private:
  Dense reflectors_;                       // Q, a product of reflections
  std::vector<double> factors_;            // of the reflectors
  std::vector<double> diagonal_, beside_;  // T
  Dense rotated_;                          // (QᵀY)ᵀ, C × t
};

}  // namespace gdkm
