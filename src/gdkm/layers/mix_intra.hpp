#pragma once

#include "gdkm/layers/dense_features.hpp"
#include "gdkm/layers/layer.hpp"
#include "gdkm/layers/mixing.hpp"

namespace gdkm {

/// Graph mixing with intra-domain inducing points, which have edges to nodes and to one another. It acts on
/// features (U_i, U_t) with K = U Uᵀ:
///
///     F_i = A_ii U_i + A_tiᵀ U_t,   F_t = A_ti U_i + Â U_t
template <class T>
class MixIntra final : public Layer<T> {
 public:
  MixIntra(Workspace<T>& workspace, DenseFeatures<T>& input, const Mixing<T>& mixing)
      : backend_(workspace.backend()),
        input_(input),
        mixing_(mixing),
        out_(workspace, input.inducing(), input.width(), {.products = true}) {}

  void forward() override {
    backend_.spmm(T(1), Op::none, mixing_.ii, input_.f_i(), T(0), out_.f_i());
    backend_.spmm(T(1), Op::transpose, mixing_.ti, input_.f_t(), T(1), out_.f_i());
    backend_.spmm(T(1), Op::none, mixing_.tt(), input_.f_t(), T(0), out_.f_t());
    backend_.spmm(T(1), Op::none, mixing_.ti, input_.f_i(), T(1), out_.f_t());
    out_.refresh();
  }
  void backward(T /*scale*/) override {
    out_.collect();
    backend_.spmm(T(1), Op::transpose, mixing_.ii, out_.f_i_bar(), T(1), input_.f_i_bar());
    backend_.spmm(T(1), Op::transpose, mixing_.ti, out_.f_t_bar(), T(1), input_.f_i_bar());
    backend_.spmm(T(1), Op::transpose, mixing_.tt(), out_.f_t_bar(), input_.f_t_beta(), input_.f_t_bar());
    backend_.spmm(T(1), Op::none, mixing_.ti, out_.f_i_bar(), T(1), input_.f_t_bar());
  }
  DenseFeatures<T>& output() override { return out_; }

 private:
  Backend<T>& backend_;
  DenseFeatures<T>& input_;
  const Mixing<T>& mixing_;
  DenseFeatures<T> out_;
};

}  // namespace gdkm
