#pragma once

#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// The optimum of a linear graph DKM between two given Gram matrices: K(G) = G, ν = 1, and G_1 … G_L minimise
/// Σ_ℓ KL(N(0, G_ℓ) ‖ N(0, Â G_{ℓ−1} Âᵀ)) over ℓ = 1 … p, p = L + 1, with G_0 and G_p fixed.
///
/// Divergences do not change under G_ℓ = Â^ℓ Z_ℓ Â^ℓᵀ, and the Z lie on the geodesic from Z_0 = G_0 to Z_p.
/// With G_0 = R Rᵀ, G_p = S Sᵀ and the singular value decomposition S⁻¹ Â^p R = U Σ Vᵀ,
///
///   G_ℓ = F_ℓ F_ℓᵀ,   F_ℓ = Â^ℓ R V Σ^(−ℓ/p),   objective = −½ Σ_j (p σ_j^(−2/p) + 2 log σ_j − p).
///
/// Only S is inverted, neither Â nor G_0, and no general matrix power is needed. The factors are decomposed
/// instead of the Gram matrices, so the condition numbers of Â and G_0 are not squared.
///
/// If the range of σ is so large that the small values are lost in rounding, sweeps follow. At the optimum
/// every G_ℓ is the geometric mean of Â G_{ℓ−1} Âᵀ and Â⁻¹ G_{ℓ+1} Â⁻ᵀ. A sweep applies the formula above
/// with p = 2 to neighbouring layers, so it needs two powers of Â at any depth. Errors shrink by cos²(π/p)
/// per sweep.
struct LinearClosedForm {
  std::vector<Dense> grams;  // G_1 … G_L
  double objective = 0;      // the maximum of −Σ KL
  double jitter = 0;         // added to the diagonal of G_0 if that is singular
  int sweeps = 0;            // 0 if the formula alone was accurate enough
};

/// Throws a NumericalError if G_p is singular, or Â to working precision: then some KL is infinite.
LinearClosedForm linear_closed_form(const Csr& mixing, const Dense& g_0, const Dense& g_p, int layers);

}  // namespace gdkm
