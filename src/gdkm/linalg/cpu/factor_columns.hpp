#pragma once

#include "gdkm/linalg/matrix.hpp"

namespace gdkm::simd {

/// The most columns that factor_columns takes.
inline constexpr Index factor_width = 16;

/// The first columns of a Cholesky factor, in place: [A_1; A_2] becomes [H_1; A_2 H_1⁻ᵀ], with H_1 H_1ᵀ =
/// A_1, a square block. Entries of A_1 above the diagonal are not read; they become 0. Returns false if a
/// pivot is not positive.
bool factor_columns(View<float> a);
bool factor_columns(View<double> a);

/// H⁻¹ of a small lower-triangular H, with zeros above.
void invert_rows(ConstView<float> h, View<float> inverse);
void invert_rows(ConstView<double> h, View<double> inverse);

}  // namespace gdkm::simd
