#pragma once

#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/models/exact/gram_top.hpp"

namespace gdkm {

/// The full-rank graph DKM over all n nodes. G_1 … G_L maximise
///
///   J = log P(Y | Φ(G_L)) − Σ_ℓ ν_ℓ KL(N(0, G_ℓ) ‖ N(0, M_ℓ)),   M_ℓ = Â_λ Φ(G_{ℓ−1}) Â_λᵀ + jitter I.
struct FullRankModel {
  Csr mixing;              // Â_λ
  Dense input;             // G_0, usually XXᵀ/d
  std::vector<double> nu;  // ν_1 … ν_L, one per layer; 0 removes the KL term, ∞ sets G_ℓ = M_ℓ
  KernelKind kernel = KernelKind::arccos;
  double jitter = 1e-6;  // absolute, in every M

  int layers() const { return static_cast<int>(nu.size()); }
  /// The Cholesky factor of M_ℓ, given G_{ℓ−1}.
  Cholesky proposal(Dense g) const;
  /// Turns the gradient of M_ℓ into that of G_{ℓ−1} = g.
  Dense proposal_backward(const Dense& g, Dense m_bar) const;
};

struct FullRankValue {
  double log_likelihood = 0;
  std::vector<double> kl;  // per layer, not multiplied by ν; 0 if ν is ∞
  double objective = 0;
};

/// Returns J. If `gradient` is not null, also computes the symmetric gradient with respect to each G_ℓ:
/// dJ = ⟨gradient, dG⟩. This is the plain, slow formula; FullRankDkm is used in training. All ν must be
/// finite.
FullRankValue full_rank_objective(const FullRankModel& model, const std::vector<Dense>& grams, GramTop& top,
                                  std::vector<Dense>* gradient);

}  // namespace gdkm
