#pragma once

#include "gdkm/layers/dense_features.hpp"
#include "gdkm/layers/labels.hpp"
#include "gdkm/layers/parameters.hpp"
#include "gdkm/layers/weight_posterior.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// What is sampled to estimate the expected log-likelihood: the marginal of every node separately, which has
/// the lower variance, or the weights W.
enum class Sampling { node, weights };

template <>
struct EnumNames<Sampling> {
  static constexpr std::string_view names[] = {"node", "weights"};
};

/// The output layer: logits = σ U_t W + 1 bᵀ with columns W_λ ~ N(μ_λ, Σ), Σ = L_Σ L_Σᵀ shared by the
/// classes, prior N(0, I), and σ² a learned scale of the output kernel. U_t = K_ti chol(K_ii)⁻ᵀ, which after
/// a Gram layer is F_t. b is the constant mean of the outputs, learned without a prior, or zero.
///
///     ELBO = Σ_train ω E log softmax(logits) − τ Σ_λ KL(N(μ_λ, Σ) ‖ N(0, I)) − Σ_ℓ ν_ℓ KL_ℓ
///
/// ω is the weight of an item, its own and that of its class; a site is multiplied by it. The last sum
/// belongs to the Gram layers. The marginal of a node's logits is N(σ μᵀu + b, σ² ‖L_Σᵀu‖² I).
template <class T>
class Readout {
 public:
  struct Options {
    Index classes = 2;
    bool learned_scale = true;
    bool bias = false;  // a learned constant in every output; regression always has it
    double temper = 1;  // τ
    Index samples = 4;
    Sampling sampling = Sampling::node;
    bool regression = false;  // outputs are numbers with Gaussian noise of a learned variance
  };

  Readout(Workspace<T>& workspace, DenseFeatures<T>& input, Parameters<T>& parameters,
          const Options& options);

  /// Computes the scaled weights from the parameters. Call it before the functions below.
  void forward();
  /// Computes the expected log-likelihood of `labels` and KL(W), and adds the gradients of scale · ELBO to
  /// those of the parameters and to F̄_t of the input. The likelihood is multiplied by `repeats`. `stream`
  /// selects the random numbers; a given `noise` (w × samples·classes) replaces them.
  void objective(const Labels& labels, const Stream& stream, T scale, T repeats, ConstView<T> noise = {});
  /// The same for targets with Gaussian noise, where the expectation has a closed form.
  void objective(const Targets<T>& targets, T scale, T repeats);
  // Natural-gradient updates: see Sites. forward() after every change of q(W).
  /// The factors with which an item knows its class and nothing else.
  void start(const Labels& labels, Sites<T>& sites);
  /// Adds up what the sites say of W, with the features as they are: all sums, with Uᵀ λ.
  void add_up(const ItemRows& row, Sites<T>& sites);
  /// Uᵀ residual.
  void add_up_residuals(const ItemRows& row, Sites<T>& sites);
  /// The same of regression, whose sites follow from the targets and the noise.
  void add_up(const Targets<T>& targets, Sites<T>& sites);
  /// For a WeightPosterior that uses rows: what it needs of these items, order · √weight u. Not within
  /// recorded steps.
  void weigh_rows(const ItemRows& row, ConstView<T> weight, const typename WeightPosterior<T>::Rows& out);
  /// The sites at the present q(W), with `rate` the share of the new β. `pairs` draws and their mirror
  /// images, or by_quadrature.
  void update(const Labels& labels, const Stream& stream, Index pairs, T rate, Sites<T>& sites);
  /// KL(W), as objective() leaves it.
  void compute_prior();
  /// Σ σ²‖u_t‖² over some items.
  double sum_of_kernel(const ItemRows& row);
  /// objective() at a q(W) that follows from sites: its parameters get no gradients, and the sites are
  /// updated.
  void objective(const Labels& labels, const Stream& stream, T scale, T repeats, Sites<T>& sites);

  /// Mean and standard deviation of the logits of nodes [first, first + mean.rows).
  void marginals(Index first, View<T> mean, View<T> deviation);

  View<T> expected_log_likelihood() { return log_likelihood_; }
  View<T> kl_covariance() { return kl_covariance_; }  // for one class
  View<T> mean_square() { return mean_square_; }      // ‖μ‖²
  /// The log variance of the noise in regression.
  View<T> log_noise() const { return parameters_.value(log_noise_); }
  const Options& options() const { return options_; }

 private:
  void scaled(ConstView<T> a, T beta, View<T> out);  // out ← σ A + β out
  void add_bias(View<T> outputs);
  /// Adds what all items say of a parameter to its gradient, if there is such a parameter.
  void add_gradient(int parameter, const Matrix<T>& sum);
  void sample_nodes(const Labels& labels, const Stream& stream, T beta, T scale);
  /// Sums over items to which a block adds.
  struct Terms {
    View<T> log_likelihood, noise_bar;
  };
  /// Goes through the marginals of the items `row` in blocks. likelihood(first, terms, mean, deviation,
  /// mean_bar, deviation_bar) computes the gradients of a block, which are then passed on to the weights and
  /// to F̄_t. `beta`: see begin_objective.
  template <class Likelihood>
  void by_marginals(const ItemRows& row, T beta, Likelihood likelihood);
  /// U, σUL_Σ, mean (without the constant) and deviation of a block of items.
  struct Block {
    View<T> u, v, mean, deviation;
  };
  Block block_of(const ItemRows& row, Index first);
  /// Features of as many items as `copy` has rows: where they are, or copied.
  View<T> features_of(const ItemRows& row, Index first, View<T> copy);
  /// F̄_t ← σ V̄ L_Σᵀ + M̄ (σμ)ᵀ + β F̄_t for a block of items.
  void add_features_bar(const ItemRows& row, Index first, T beta, View<T> v_bar, View<T> mean_bar);
  /// Multiplies what the items from `first` on say by their weights.
  void weigh(const std::vector<WeightRun>& weights, Index first, View<T> linear, View<T> precision,
             View<T> curvature);
  /// The sites of a block, from its moments; adds to the terms of the log-likelihood.
  void set_sites(const Block& block, const Labels& labels, Index first, const Stream& stream, Index pairs,
                 T rate, Sites<T>& sites, View<T> log_likelihood);
  /// Returns with which β blocks add to F̄_t: 0 where nothing is there yet and items cover all of it.
  T begin_objective(const ItemRows& row);
  void end_objective(T scale);
  void sample_weights(const Labels& labels, const Stream& stream, T beta, T scale, ConstView<T> noise);
  void add_prior_gradient(T scale);

  Backend<T>& backend_;
  DenseFeatures<T>& input_;
  Parameters<T>& parameters_;
  Options options_;
  int mu_, l_sigma_, log_scale_ = -1, bias_ = -1, log_noise_ = -1;
  Index rows_;
  Matrix<T> l_, mean_weights_, deviation_weights_;  // L_Σ, σμ, σL_Σ
  Matrix<T> l_bar_, mean_weights_bar_, deviation_weights_bar_;
  Matrix<T> noise_, weights_, weights_bar_;     // for Sampling::weights
  Matrix<T> each_sample_;                       // identities below each other: adds up samples
  Matrix<T> new_precision_;                     // for natural updates
  Matrix<T> part_;                              // for weights of items
  Matrix<T> bias_bar_, scale_bar_, noise_bar_;  // sums over items
  Matrix<T> u_, v_, v_bar_, mean_, mean_bar_, deviation_, deviation_bar_;
  View<T> log_likelihood_, kl_covariance_, mean_square_;
};

}  // namespace gdkm
