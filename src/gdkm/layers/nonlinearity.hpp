#pragma once

#include "gdkm/layers/dense_features.hpp"
#include "gdkm/layers/layer.hpp"

namespace gdkm {

/// The kernel nonlinearity K = Φ(F Fᵀ), element by element, for any KernelKind. K_ti is not stored: products
/// compute it in blocks of rows, and the backward pass computes it again, from F_t F_iᵀ where the device can
/// spare the memory to keep it.
template <class T>
class Nonlinearity final : public Layer<T>, public Kernel<T> {
 public:
  Nonlinearity(Workspace<T>& workspace, DenseFeatures<T>& input, KernelKind kind);

  void forward() override;
  void backward(T scale) override;
  Nonlinearity& output() override { return *this; }

  Index inducing() const override { return input_.inducing(); }
  int depth() const override { return 0; }
  View<T> ii() { return k_ii_; }
  View<T> ii_bar() override { return k_ii_bar_; }
  void factor(T jitter, View<T> h, View<T> inverse, View<T> used) override;
  void times(ConstView<T> s, View<T> out) override;
  void times_backward(ConstView<T> s, ConstView<T> out_bar, View<T> s_bar) override;

 private:
  Backend<T>& backend_;
  DenseFeatures<T>& input_;
  KernelKind kind_;
  Matrix<T> g_ii_, g_ii_bar_, k_ii_, k_ii_bar_, s_i_bar_;
  Matrix<T> kept_;
  View<T> kept_view_;  // F_t F_iᵀ, or empty
};

}  // namespace gdkm
