#pragma once

#include <span>

#include "gdkm/models/exact/gram_divergence.hpp"

namespace gdkm {

/// The top of a full-rank network: the log-likelihood of its last kernel K = Φ(G_L).
class GramTop {
 public:
  virtual ~GramTop() = default;
  /// The log-likelihood of K. If `k_bar` is not null, it receives the symmetric gradient with respect to K,
  /// and `gradient` that of the parameters.
  virtual double value(const Dense& k, Dense* k_bar) = 0;
  virtual std::span<double> parameters() { return {}; }
  virtual std::span<const double> gradient() const { return {}; }
};

/// Gaussian noise on the targets Y (t × C) of the training nodes; other nodes do not enter:
///
///   Σ_c log N(y_c; 0, S),   S = K_tt + σ² I,   α = S⁻¹Y
///   ∂/∂S = ½ (ααᵀ − C S⁻¹),   ∂/∂log σ² = σ² tr(∂/∂S)
///
/// If the noise is learned, its parameter is log σ².
class GaussianTop final : public GramTop {
 public:
  GaussianTop(std::vector<std::int32_t> train, Dense targets, double noise, bool learn_noise = false);

  double value(const Dense& k, Dense* k_bar) override;
  std::span<double> parameters() override;
  std::span<const double> gradient() const override;
  double noise() const;
  const std::vector<std::int32_t>& train() const { return train_; }
  const Dense& targets() const { return targets_; }

 private:
  std::vector<std::int32_t> train_;
  Dense targets_;
  bool learn_noise_;
  double log_noise_, log_noise_bar_ = 0;
};

/// A given Gram matrix as one more layer:  −KL(N(0, G^{L+1}) ‖ N(0, Â K Âᵀ + jitter I)).
class FixedGramTop final : public GramTop {
 public:
  FixedGramTop(Csr mixing, const Dense& gram, double jitter = 0);

  double value(const Dense& k, Dense* k_bar) override;

 private:
  Csr mixing_, mixing_transposed_;
  GramDivergence divergence_;
  double jitter_;
};

}  // namespace gdkm
