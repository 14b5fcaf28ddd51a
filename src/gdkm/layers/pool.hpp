#pragma once

#include "gdkm/layers/dense_features.hpp"
#include "gdkm/layers/layer.hpp"

namespace gdkm {

/// Pooling over a graph's nodes, mean or sum: one row per graph,
///
///     F_g = P F_t,   P_gt = 1/|g| (mean) or 1 (sum) where node t belongs to graph g.
///
/// It is the last layer before the readout, which does not need F_i.
template <class T>
class Pool final : public Layer<T> {
 public:
  Pool(Workspace<T>& workspace, DenseFeatures<T>& input, const Sparse<T>& graphs)
      : backend_(workspace.backend()),
        input_(input),
        graphs_(graphs),
        out_(workspace, 0, input.width(), {.rows = graphs.rows()}) {}

  void forward() override {
    backend_.spmm(T(1), Op::none, graphs_, input_.f_t(), T(0), out_.f_t());
    out_.refresh();
  }
  void backward(T /*scale*/) override {
    backend_.spmm(T(1), Op::transpose, graphs_, out_.f_t_bar(), input_.f_t_beta(), input_.f_t_bar());
  }
  DenseFeatures<T>& output() override { return out_; }

 private:
  Backend<T>& backend_;
  DenseFeatures<T>& input_;
  const Sparse<T>& graphs_;
  DenseFeatures<T> out_;
};

}  // namespace gdkm
