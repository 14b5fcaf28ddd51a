#pragma once

#include <limits>
#include <memory>
#include <string>

#include "gdkm/layers/dense_features.hpp"
#include "gdkm/layers/layer.hpp"
#include "gdkm/layers/parameters.hpp"

namespace gdkm {

/// The learned Gram layer, in its one-solve parameterisation. With H = chol(K_ii) and L lower triangular,
///
///     F_i = H L,   F_t = K_ti T,   T = H⁻ᵀ L,   so that   G_ii = H L Lᵀ Hᵀ   and   G_ti = K_ti K_ii⁻¹ G_ii,
///
/// with the penalty ν · KL(N(0, G_ii) ‖ N(0, K_ii)) = ν · ½(‖L‖² − 2 Σ log L_jj − m). L starts at I, which is
/// the NNGP. ν = ∞ keeps L = I, so there is no parameter; ν = 0 removes the penalty. F_i is lower triangular:
/// it is the Cholesky factor of G_ii.
template <class T>
class GramLayer final : public Layer<T> {
 public:
  GramLayer(Workspace<T>& workspace, Kernel<T>& input, Parameters<T>& parameters, const std::string& name,
            double nu, T jitter, FeatureTraits traits = {});

  void forward() override;
  void backward(T scale) override;
  DenseFeatures<T>& output() override { return out_; }

  /// Sets s_t, if the traits say that it is given.
  void set_norms(ConstView<T> norms) { norms_ = norms; }

  bool learned() const { return parameter_ >= 0; }
  double nu() const { return nu_; }
  View<T> kl() { return kl_; }
  View<T> used_jitter() { return used_jitter_; }

 private:
  Backend<T>& backend_;
  Kernel<T>& input_;
  Parameters<T>& parameters_;
  int parameter_ = -1;
  double nu_;
  T jitter_;
  ConstView<T> norms_;
  View<T> kl_, used_jitter_;
  Matrix<T> h_, inverse_, l_, t_, h_bar_, l_bar_, t_bar_;
  DenseFeatures<T> out_;
};

}  // namespace gdkm
