#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/dense.hpp"

namespace gdkm::testing {

/// A Gram matrix or kernel over inducing points ("i") and nodes ("t").
struct GramBlocks {
  Dense ii, ti, tt;
};

/// The paper's Algorithm 1 with inter-domain inducing points and the full K_tt, as a check of the sparse
/// models, which keep only its Nyström part. G_0 = N Nᵀ/d, where N has the rows of X_i and then those of X;
/// for each layer
///
///   K = Φ(G),   K_ti ← Â K_ti,   K_tt ← Â K_tt Âᵀ,   H = chol K_ii,   G_ii = H L Lᵀ Hᵀ,
///   G_ti = K_ti K_ii⁻¹ G_ii,   G_tt = K_tt − K_ti K_ii⁻¹ K_it + K_ti K_ii⁻¹ G_ii K_ii⁻¹ K_it,
///
/// and K_out = Φ(G_L), unmixed. With T = K_ti H⁻ᵀ: G_ti = T L (H L)ᵀ, G_tt = K_tt − TTᵀ + (TL)(TL)ᵀ.
struct ExactAlgorithm1 {
  std::vector<GramBlocks> grams;  // G_1 … G_L
  GramBlocks output;              // K_out
};

/// `inducing` is X_i (m × d), `lower` the L of each layer (m × m).
ExactAlgorithm1 algorithm1_exact(const Csr& mixing, const Features& x, const Dense& inducing,
                                 const std::vector<Dense>& lower, KernelKind kind = KernelKind::arccos,
                                 double jitter = 0);

}  // namespace gdkm::testing
