#pragma once

#include <cstdint>
#include <span>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// Centred kernel alignment of two symmetric n × n kernels, restricted to `rows` (r of them):
///
///     CKA(K₁, K₂) = Tr(K₁′K₂′) / √(Tr(K₁′K₁′) Tr(K₂′K₂′)),   K′ = CKC,   C = I − 11ᵀ/r.
///
/// In [0, 1] for positive semi-definite kernels; 0 where one of them is constant on the rows.
double cka(std::span<const double> k1, std::span<const double> k2, Index n,
           std::span<const std::int32_t> rows);

/// The same of K₁ = FFᵀ, F the n × width features, and K₂ = YYᵀ, Y the one-hot labels, without an n × n
/// matrix:
///
///     ‖F′ᵀY′‖² / (‖F′ᵀF′‖ ‖Y′ᵀY′‖)   in Frobenius norms,   F′ = CF, Y′ = CY.
///
/// Rows without a label (−1) are left out.
double cka_with_labels(std::span<const double> features, Index width, std::span<const std::int32_t> labels,
                       int classes, std::span<const std::int32_t> rows);

}  // namespace gdkm
