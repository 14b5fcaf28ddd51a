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
  std::vector<double> nu;  // ν_1 … ν_L: its length is the depth; 0 leaves the KL out, ∞ sets G_ℓ = M_ℓ
  KernelKind kernel = KernelKind::arccos;
  double jitter = 1e-6;  // absolute, in every M

  int layers() const { return static_cast<int>(nu.size()); }
  /// The factor of M_ℓ, made of G_{ℓ−1}.
  Cholesky proposal(Dense g) const;
  /// What a gradient of M_ℓ means for G_{ℓ−1} = g.
  Dense proposal_backward(const Dense& g, Dense m_bar) const;
};

struct FullRankValue {
  double log_likelihood = 0;
  std::vector<double> kl;  // per layer, without ν; 0 where ν is ∞
  double objective = 0;
};

/// J, and where `gradient` is given its gradient with respect to each G_ℓ, symmetric: dJ = ⟨gradient, dG⟩.
/// Plain and slow; FullRankDkm is what trains. All ν are finite.
FullRankValue full_rank_objective(const FullRankModel& model, const std::vector<Dense>& grams, GramTop& top,
                                  std::vector<Dense>* gradient);

}  // namespace gdkm
