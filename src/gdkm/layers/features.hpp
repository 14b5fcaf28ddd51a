#pragma once

#include "gdkm/layers/feature_kernel.hpp"

namespace gdkm {

/// What is particular about features.
struct FeatureTraits {
  Fill fill = Fill::full;    // lower after a Gram layer: F_i is then the Cholesky factor of G_ii
  bool products = false;     // whether something takes them as a kernel, by its products
  bool is_state = false;     // whether they are the state of a residual chain: see Workspace
  bool given_norms = false;  // s_t is not ‖F_t‖ but constants that their owner has
  Index rows = -1;           // of F_t, where there are not as many as nodes
};

/// Features that are there in full: F_i (m×w) and F_t (n×w), with s = √diag K. That is their row norms,
/// unless the diagonal of K_tt is known better than F_t F_tᵀ has it.
template <class T>
class DenseFeatures final : public FeatureKernel<T> {
 public:
  DenseFeatures(Workspace<T>& workspace, Index inducing, Index width, const FeatureTraits& traits);

  View<T> f_i() override { return f_i_; }
  View<T> f_t() { return f_t_; }
  View<T> s_i() { return s_i_; }
  View<T> s_t() { return s_t_; }
  View<T> f_i_bar() override { return f_i_bar_; }
  View<T> f_t_bar() { return f_t_bar_; }
  Fill fill() const { return traits_.fill; }
  /// 0 before anything has reached F̄_t in this backward pass, 1 afterwards: how to add to it without clearing
  /// it.
  T f_t_beta();

  /// Where what reaches a given s_t goes, and stays: it is a constant. Empty where it is part of F̄_t.
  View<T> s_t_bar() { return s_t_bar_; }

  int depth() const override { return 0; }
  void factor(T jitter, View<T> h, View<T> inverse, View<T> used) override;
  void project(ConstView<T> b, View<T> out) override;
  void project_transposed(ConstView<T> out_bar, View<T> b_bar) override;
  void project_backward(ConstView<T> b, ConstView<T> out_bar, View<T> b_bar) override;

  /// The owner has written F_i and F_t (and s_t, where it is given): norms follow, gradients start anew.
  void refresh();
  /// The owner's backward begins: everything has reached F̄_i and F̄_t.
  void collect();

 private:
  FeatureTraits traits_;
  Matrix<T> f_i_, f_t_, s_i_, s_t_, f_i_bar_, s_t_bar_;
  View<T> f_t_bar_;
  bool reached_ = false, kernel_reached_ = false;
};

}  // namespace gdkm
