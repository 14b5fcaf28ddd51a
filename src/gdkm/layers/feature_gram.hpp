#pragma once

#include <string>

#include "gdkm/layers/dense_features.hpp"
#include "gdkm/layers/layer.hpp"
#include "gdkm/layers/parameters.hpp"

namespace gdkm {

/// The learned Gram layer in feature space, for a linear kernel of rank w < m, whose K_ii is singular:
///
///     F_i' = F_i L,   F_t' = F_t L,   L lower triangular w×w,   penalty ν · ½(‖L‖² − 2 Σ log L_jj − w).
///
/// It is the same model as GramLayer, restricted to the range of the kernel, and needs no solve.
template <class T>
class FeatureGramLayer final : public Layer<T> {
 public:
  FeatureGramLayer(Workspace<T>& workspace, FeatureKernel<T>& input, Parameters<T>& parameters,
                   const std::string& name, double nu, FeatureTraits traits = {});

  void forward() override;
  void backward(T scale) override;
  DenseFeatures<T>& output() override { return out_; }

  bool learned() const { return parameter_ >= 0; }
  double nu() const { return nu_; }
  View<T> kl() { return kl_; }

 private:
  Backend<T>& backend_;
  FeatureKernel<T>& input_;
  Parameters<T>& parameters_;
  int parameter_ = -1;
  double nu_;
  Matrix<T> l_, l_bar_;
  View<T> kl_;
  DenseFeatures<T> out_;
};

}  // namespace gdkm
