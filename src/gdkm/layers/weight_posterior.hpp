#pragma once

#include <vector>

#include "gdkm/layers/parameters.hpp"

namespace gdkm {

/// In place of a number of draws: expectations without any.
inline constexpr Index by_quadrature = 0;

/// What the labelled items of one batch say about the outputs f_t = σ u_tᵀW of the readout: a Gaussian factor
///
///     exp(λ_tᵀ f_t − ½ β_t ‖f_t‖²)
///
/// for each item t. With the prior N(0, I) their product is q(W). At the optimum of the ELBO β is the
/// expected curvature of the log-likelihood, averaged over the outputs (they share one covariance), and λ =
/// gradient + b f for any b; a b that bounds the curvature in every direction makes the mean converge.
/// Factors belong to items, not to features: when a step moves the features, q(W) moves with them.
template <class T>
struct Sites {
  View<T> linear;                // λ, items × outputs
  View<T> residual;              // the gradient of the log-likelihood by the outputs, items × outputs
  View<T> precision, curvature;  // β and b, 1 × items
  /// Sums over the items: Uᵀ diag(β) U and Uᵀ diag(b) U, below the diagonal, Uᵀ λ and Uᵀ residual.
  View<T> covariance_evidence, mean_evidence, linear_evidence, residual_evidence;
};

/// q(W) as the prior times the factors of all batches (see Sites):
///
///     Σ⁻¹ = I + τ⁻¹ Uᵀ diag(β) U,   μ = (I + τ⁻¹ Uᵀ diag(b) U)⁻¹ τ⁻¹ Uᵀ λ
///
/// with τ the weight of KL(W).
template <class T>
class WeightPosterior {
 public:
  /// Writes into the parameters readout.mu and readout.L_sigma.
  WeightPosterior(Backend<T>& backend, Parameters<T>& parameters, double temper);

  Index width() const { return covariance_.rows(); }
  Index outputs() const { return linear_.cols(); }
  /// All batches, before the first solve().
  void add(const Sites<T>& sites) { batches_.push_back(sites); }
  /// μ and L_Σ from the sums of all batches, with Uᵀ λ.
  void solve();
  /// The same with Uᵀ residual: μ moves by (I + τ⁻¹ Uᵀ diag(b) U)⁻¹ (τ⁻¹ Uᵀ residual − μ). That is the same
  /// μ, but rounding in the sums does not move the optimum. `factorise`: the sums are new, and L_Σ is wanted,
  /// too. `rate`: the share of the way that μ goes.
  void move(bool factorise, T rate = T(1));
  /// After move(): μ goes on by so many times the way between where the last two calls were made, which are
  /// Nesterov's accelerated steps. With 0 there is no way yet, and this is where it begins.
  void go_on(T momentum);

  /// From now on both matrices come from rows of the items themselves, √β u and √b u, in place of their sums:
  /// so many items, 0 to end it. Where the output kernel is large the identity is lost in the rounding of the
  /// sums. A column of a Rows belongs to an item, and is order · √weight u.
  void use_rows(Index items);
  bool uses_rows() const { return items_ > 0; }
  struct Rows {
    View<T> of_items;
    ConstView<T> order;  // what the factorisation needs; with 1/√τ
  };
  Rows covariance_rows() { return {covariance_rows_.view().block_cols(0, items_), reverse_}; }
  Rows mean_rows() { return {mean_rows_.view().block_cols(0, items_), straight_}; }

 private:
  void factorise_sums();
  void move_by(View<T> Sites<T>::*sum, T rate);
  /// total ← I + τ⁻¹ Σ sums, a lower triangle.
  void add_up(View<T> Sites<T>::*sum, View<T> total);

  Backend<T>& backend_;
  Parameters<T>& parameters_;
  int mu_, l_sigma_;
  T weight_;  // 1/τ
  std::vector<Sites<T>> batches_;
  Matrix<T> covariance_, mean_, linear_, solved_, mirrored_, factor_, inverse_, used_jitter_, last_;
  Matrix<T> covariance_rows_, mean_rows_;  // of all items, and the identity
  Matrix<T> reverse_, straight_;
  Index items_ = 0;
};

}  // namespace gdkm
