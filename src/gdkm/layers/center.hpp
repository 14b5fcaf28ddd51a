#pragma once

#include <string>

#include "gdkm/layers/feature_kernel.hpp"
#include "gdkm/layers/layer.hpp"
#include "gdkm/layers/parameters.hpp"
#include "gdkm/layers/relation_weights.hpp"

namespace gdkm {

/// Kernel centering: with μ the mean over nodes of the rows of F_t,
///
///     F_i ← F_i − 1μᵀ,   F_t ← F_t − 1μᵀ,   K = F Fᵀ blockwise,
///
/// and, if it is affine, K ← γ²K + β²11ᵀ with learned γ and β: F ← [γF, β1]. The mean over all batches of the
/// last training pass is kept for prediction. It is stored with the parameters but is not learned. The
/// centred F_t is never formed: F_t B is the product of the input's F_t with B, minus the same row
/// everywhere.
///
/// After mixing by several relations (`weights`), f is Σ_r √w_r P_r f_r, and the inducing variables are those
/// of f_r: each loses its share √w_r μ, and gets √w_r β, so that the locations Σ_r √w_r F_i[block r] are
/// centred as nodes are.
template <class T>
class Center final : public Layer<T>, public FeatureKernel<T> {
 public:
  Center(Workspace<T>& workspace, FeatureKernel<T>& input, Parameters<T>& parameters, const std::string& name,
         bool affine, RelationWeights<T>* weights = nullptr);

  void forward() override;
  void backward(T scale) override;
  Center& output() override { return *this; }

  View<T> f_i() override { return f_i_; }
  View<T> f_i_bar() override { return f_i_bar_; }
  int depth() const override { return input_.depth(); }
  void factor(T jitter, View<T> h, View<T> inverse, View<T> used) override;
  void project(ConstView<T> b, View<T> out) override;
  void project_transposed(ConstView<T> out_bar, View<T> b_bar) override;
  void project_backward(ConstView<T> b, ConstView<T> out_bar, View<T> b_bar) override;

  /// The initial log β. At β = 0 the gradient would be 0.
  static constexpr double first_log_beta = -2.302585092994046;  // log 0.1

 private:
  bool affine() const { return log_gamma_ >= 0; }
  Index inner() const { return input_.width(); }
  /// μ: in training the mean over the nodes of this batch, in prediction the one that training kept.
  View<T> mean() const;
  /// scaled_ ← γ · the first rows of B.
  View<T> scaled(ConstView<T> b);
  /// out ← e^{log factor} A + β out, or A + β out if there is no factor.
  void scale(int log_factor, ConstView<T> a, T beta, View<T> out);
  /// inner_i_ ← F_i − 1μᵀ, or with the share of μ that each block of F_i has.
  void subtract_mean();
  /// μ̄ ← what inner_i_, now the gradient of F_i − 1μᵀ, says.
  void subtract_mean_backward();

  Workspace<T>& workspace_;
  FeatureKernel<T>& input_;
  Parameters<T>& parameters_;
  RelationWeights<T>* weights_;
  int mean_, log_gamma_ = -1, log_beta_ = -1;
  bool kernel_reached_ = false;
  Matrix<T> f_i_, f_i_bar_, mean_bar_, mean_of_batch_;
  Matrix<T> scaled_, scaled_bar_, row_, ones_, unused_, inner_i_;
  Matrix<T> means_, shares_, constant_;  // with several relations: μ and its shares in R rows, β in all rows
};

}  // namespace gdkm
