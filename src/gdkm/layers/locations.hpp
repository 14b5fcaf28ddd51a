#pragma once

#include "gdkm/layers/dense_features.hpp"
#include "gdkm/layers/layer.hpp"
#include "gdkm/layers/relation_weights.hpp"

namespace gdkm {

/// After mixing by R relations and a Gram layer, features belong to R inducing variables per location. The
/// locations of the next layer are those of nodes whose neighbours are like themselves:
///
///     F_i ← Σ_r √w_r F_i[block r],   F_t stays.
template <class T>
class Locations final : public Layer<T> {
 public:
  Locations(Workspace<T>& workspace, DenseFeatures<T>& input, RelationWeights<T>& weights,
            FeatureTraits traits = {})
      : backend_(workspace.backend()),
        input_(input),
        weights_(weights),
        scaled_(backend_, input.inducing(), input.width()),
        out_(workspace, input, input.inducing() / weights.count(), traits) {}

  void forward() override {
    weights_.scale(input_.f_i(), scaled_);
    for (Index r = 0; r < weights_.count(); ++r)
      backend_.add(T(1), weights_.block(scaled_.view(), r), r == 0 ? T(0) : T(1), out_.f_i());
    out_.refresh();
  }
  void backward(T /*scale*/) override {
    out_.collect();
    for (Index r = 0; r < weights_.count(); ++r)
      backend_.add(T(1), out_.f_i_bar(), T(0), weights_.block(scaled_.view(), r));
    weights_.scale_backward(input_.f_i(), scaled_);
    backend_.add(T(1), scaled_, T(1), input_.f_i_bar());
  }
  DenseFeatures<T>& output() override { return out_; }

 private:
  Backend<T>& backend_;
  DenseFeatures<T>& input_;
  RelationWeights<T>& weights_;
  Matrix<T> scaled_;
  DenseFeatures<T> out_;
};

}  // namespace gdkm
