#pragma once

#include "gdkm/layers/dense_features.hpp"
#include "gdkm/layers/layer.hpp"

namespace gdkm {

/// The residual connection: K = ½(K_a + K_b), where ½ keeps the scale. The result is again given by features,
///
///     F_i = H,   F_t = K_ti H⁻ᵀ = A_t (½A_iᵀ H⁻ᵀ) + B_t (½B_iᵀ H⁻ᵀ),   H = chol(½(A_i A_iᵀ + B_i B_iᵀ)),
///
/// which have the K_ii and K_ti of the sum. K_tt is the Nyström approximation, as it is after mixing.
template <class T>
class HalfSum final : public Layer<T> {
 public:
  HalfSum(Workspace<T>& workspace, DenseFeatures<T>& a, DenseFeatures<T>& b, T jitter);

  void forward() override;
  void backward(T scale) override;
  DenseFeatures<T>& output() override { return out_; }

  View<T> used_jitter() { return used_jitter_; }

 private:
  Backend<T>& backend_;
  Workspace<T>& workspace_;
  DenseFeatures<T>&a_, &b_;
  T jitter_;
  View<T> used_jitter_;
  Matrix<T> k_, h_, inverse_, t_, work_, h_bar_, t_bar_, k_bar_;
  DenseFeatures<T> out_;
};

}  // namespace gdkm
