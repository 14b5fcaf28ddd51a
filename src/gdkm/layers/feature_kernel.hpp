#pragma once

#include "gdkm/layers/kernel.hpp"
#include "gdkm/layers/workspace.hpp"

namespace gdkm {

/// A kernel given by features, K = F Fᵀ. F_i (m×w) is stored; F_t (n×w) is available through products F_t·B.
///
///     K_ti S = F_t (F_iᵀ S)
template <class T>
class FeatureKernel : public Kernel<T> {
 public:
  /// `products`: whether K_ti·S and K_ii will be used, not only F_i and F_t.
  FeatureKernel(Workspace<T>& workspace, Index inducing, Index width, bool products);

  Index inducing() const override { return inducing_; }
  Index width() const { return width_; }
  View<T> ii_bar() override { return ii_bar_; }

  virtual View<T> f_i() = 0;
  virtual View<T> f_i_bar() = 0;
  /// out ← F_t B.
  virtual void project(ConstView<T> b, View<T> out) = 0;
  /// b_bar ← F_tᵀ out_bar.
  virtual void project_transposed(ConstView<T> out_bar, View<T> b_bar) = 0;
  /// The same, and adds out_bar Bᵀ to the gradient of F_t.
  virtual void project_backward(ConstView<T> b, ConstView<T> out_bar, View<T> b_bar) = 0;

  void times(ConstView<T> s, View<T> out) override;
  void times_backward(ConstView<T> s, ConstView<T> out_bar, View<T> s_bar) override;

 protected:
  /// F̄_i += 2 K̄_ii F_i. The owner calls it at the start of its backward.
  void add_kernel_gradient();
  void clear_kernel_gradient();

  Backend<T>& backend_;

 private:
  Index inducing_, width_;
  Matrix<T> ii_bar_, b_, b_bar_;
  const T* b_is_of_ = nullptr;  // the S for which b_ is F_iᵀS
};

}  // namespace gdkm
