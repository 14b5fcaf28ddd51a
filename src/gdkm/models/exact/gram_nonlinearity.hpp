#pragma once

#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// The kernel nonlinearity on a whole Gram matrix: K = Φ(G), K_ij = φ(G_ij, G_ii, G_jj), in place.
void apply_nonlinearity(KernelKind kind, Dense& g);

/// Backward: of a symmetric K̄ makes the symmetric Ḡ with ⟨K̄, dK⟩ = ⟨Ḡ, dG⟩ for every symmetric dG, in place:
///
///   Ḡ_ij = K̄_ij ∂φ/∂G_ij,   Ḡ_ii = K̄_ii dK_ii/dG_ii + 2 Σ_{j≠i} K̄_ij ∂φ/∂G_ii
///
/// A row whose G_ii is 0 gets no gradient where Φ is not linear.
void apply_nonlinearity_backward(KernelKind kind, const Dense& g, Dense& k_bar);

}  // namespace gdkm
