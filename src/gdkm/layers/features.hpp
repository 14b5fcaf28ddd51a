#pragma once

#include "gdkm/layers/feature_kernel.hpp"

namespace gdkm {

/// Features that are there in full: F_i (m×w) and F_t (n×w), with their row norms s = √diag(F Fᵀ).
template <class T>
class DenseFeatures final : public FeatureKernel<T> {
 public:
  /// `products`: whether a Gram layer takes them as a kernel.
  DenseFeatures(Workspace<T>& workspace, Index inducing, Index width, Fill fill, bool products = false);

  View<T> f_i() override { return f_i_; }
  View<T> f_t() { return f_t_; }
  View<T> s_i() { return s_i_; }
  View<T> s_t() { return s_t_; }
  View<T> f_i_bar() override { return f_i_bar_; }
  View<T> f_t_bar() { return f_t_bar_; }
  /// Lower after a Gram layer: F_i is then the Cholesky factor of G_ii.
  Fill fill() const { return fill_; }
  /// 0 before anything has reached F̄_t in this backward pass, 1 afterwards: how to add to it without clearing
  /// it.
  T f_t_beta();

  int depth() const override { return 0; }
  void factor(T jitter, View<T> h, View<T> used) override;
  void project(ConstView<T> b, View<T> out) override;
  void project_backward(ConstView<T> b, ConstView<T> out_bar, View<T> b_bar) override;

  /// The owner has written F_i and F_t: norms follow, gradients start anew.
  void refresh();
  /// The owner's backward begins: everything has reached F̄_i and F̄_t.
  void collect();

 private:
  Matrix<T> f_i_, f_t_, s_i_, s_t_, f_i_bar_;
  View<T> f_t_bar_;
  Fill fill_;
  bool reached_ = false, kernel_reached_ = false;
};

}  // namespace gdkm
