#pragma once

#include "gdkm/models/exact/full_rank_objective.hpp"

namespace gdkm {

/// The full-rank graph DKM, with parameters that keep every G positive definite, as in a Gram layer:
///
///   H_ℓ = chol(M_ℓ),   G_ℓ = H_ℓ L_ℓ L_ℓᵀ H_ℓᵀ,   KL_ℓ = ½ (‖L_ℓ‖² − 2 Σ log L_jj − n)
///
/// L_ℓ is lower triangular. The parameters are its entries below the diagonal and the logarithms of its
/// diagonal. If all are zero, L = I, which is the infinitely wide network; ν_ℓ = ∞ keeps it there.
///
/// Backward, with Q = Hᵀ Ḡ H:  L̄ = 2 tril(Q L),  and through the factorisation
/// M̄ = ½ H⁻ᵀ (P + Pᵀ) H⁻¹,  P the lower triangle of 2 Q L Lᵀ with its diagonal halved.
///
/// A step takes about 8 n³ operations per layer. Memory is seven n × n matrices per layer, including Adam's,
/// and a few more. All are where model.input is.
class FullRankDkm {
 public:
  explicit FullRankDkm(FullRankModel model);

  /// Computes J at the current parameters and, if `with_gradient`, its gradient.
  FullRankValue evaluate(GramTop& top, bool with_gradient);

  /// How many n × n matrices a training has at the same time, Adam's among them.
  static int matrices(int layers) { return 7 * layers + 6; }

  const FullRankModel& model() const { return model_; }
  Index nodes() const { return model_.mixing.rows; }
  /// Layers are numbered 0 … L − 1. n × n and lower triangular; empty for a layer with ν = ∞.
  Dense& parameters(int layer) { return layers_[layer].raw; }
  const Dense& gradient(int layer) const { return layers_[layer].raw_bar; }
  /// G of a layer at the last evaluation.
  const Dense& gram(int layer) const { return layers_[layer].gram; }
  /// Φ(G_L) at the last evaluation.
  Dense output_kernel() const;
  /// The largest value that was added to a diagonal in addition to the model's jitter.
  double extra_jitter() const { return extra_jitter_; }

 private:
  struct Layer {
    Dense raw, raw_bar, lower;
    Cholesky proposal;
    Dense gram;
    bool learned = true;
  };
  double forward(Layer& layer, const Dense& below, bool first);
  Dense backward(Layer& layer, double nu, const Dense& g_bar, const Dense& below, bool first);

  FullRankModel model_;
  std::vector<Layer> layers_;
  double extra_jitter_ = 0;
};

}  // namespace gdkm
