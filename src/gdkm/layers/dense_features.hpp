#pragma once

#include "gdkm/layers/feature_kernel.hpp"

namespace gdkm {

/// Properties of features that decide how they are stored and used.
struct FeatureTraits {
  Fill fill = Fill::full;    // lower after a Gram layer: F_i is then the Cholesky factor of G_ii
  bool products = false;     // whether a layer uses them as a kernel, through its products
  bool is_state = false;     // whether they are the state of a residual chain: see Workspace
  bool given_norms = false;  // s_t is given by the owner as constants; otherwise it is ‖F_t‖
  Index rows = -1;           // rows of F_t, if not the number of nodes
};

/// Features that are stored in full: F_i (m×w) and F_t (n×w), with s = √diag K. These are the row norms of
/// the features, unless the diagonal of K_tt is known more accurately than F_t F_tᵀ gives it.
template <class T>
class DenseFeatures final : public FeatureKernel<T> {
 public:
  DenseFeatures(Workspace<T>& workspace, Index inducing, Index width, const FeatureTraits& traits);
  /// Features of other inducing points that share F_t, and its gradient, with `nodes`.
  DenseFeatures(Workspace<T>& workspace, DenseFeatures& nodes, Index inducing, const FeatureTraits& traits);

  DenseFeatures(const DenseFeatures&) = delete;  // others may share its F_t
  DenseFeatures& operator=(const DenseFeatures&) = delete;

  View<T> f_i() override { return f_i_; }
  View<T> f_t() { return nodes_->f_t_; }
  View<T> s_i() { return s_i_; }
  View<T> s_t() { return nodes_->s_t_; }
  View<T> f_i_bar() override { return f_i_bar_; }
  View<T> f_t_bar() { return nodes_->f_t_bar_; }
  Fill fill() const { return traits_.fill; }
  /// The factor of the old F̄_t when a gradient is added: 0 for the first one in this backward pass, then 1.
  /// So F̄_t need not be cleared.
  T f_t_beta();

  /// The gradient of a given s_t, which nobody reads because s_t is constant. Empty if s_t = ‖F_t‖.
  View<T> s_t_bar() { return nodes_->s_t_bar_; }

  int depth() const override { return 0; }
  void factor(T jitter, View<T> h, View<T> inverse, View<T> used) override;
  void project(ConstView<T> b, View<T> out) override;
  void project_transposed(ConstView<T> out_bar, View<T> b_bar) override;
  void project_backward(ConstView<T> b, ConstView<T> out_bar, View<T> b_bar) override;

  /// The owner calls this after it wrote F_i, F_t and a given s_t: computes the norms, resets the gradients.
  void refresh();
  /// The owner calls this at the start of its backward, when F̄_i and F̄_t are complete.
  void collect();

 private:
  FeatureTraits traits_;
  DenseFeatures* nodes_;  // who has F_t: itself, or another
  Matrix<T> f_i_, f_t_, s_i_, s_t_, f_i_bar_, s_t_bar_;
  View<T> f_t_bar_;
  bool reached_ = false, kernel_reached_ = false;
};

}  // namespace gdkm
