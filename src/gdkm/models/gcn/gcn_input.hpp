#pragma once

#include <string>

#include "gdkm/models/gcn/gcn_layer.hpp"

namespace gdkm {

/// The first product: [P_r X]_r W, Σ_r P_r(XW_r) or XW, as the inputs are laid out. It takes nothing from
/// other layers.
template <class T>
class GcnInput final : public GcnLayer<T> {
 public:
  GcnInput(GcnContext<T>& context, const std::string& name, Index width)
      : context_(context),
        w_(context.parameters.declare(name + ".W", context.inputs.weight_rows(), width)),
        out_(context.backend, context.inputs.nodes, width) {}

  View<T> forward(View<T> /*h*/) override {
    const auto& in = context_.inputs;
    const View<T> w = context_.parameters.value(w_);
    if (!in.mix_after) {
      times_x(w, T(0), out_);
      return out_;
    }
    for (Index r = 0; r < in.mixing.count(); ++r) {
      const T beta = r == 0 ? T(0) : T(1);
      if (in.mixing.is_identity(r)) {
        times_x(weights(w, r), beta, out_);
        continue;
      }
      const View<T> product = context_.temporary(w.cols);
      times_x(weights(w, r), T(0), product);
      context_.backend.spmm(T(1), Op::none, in.mixing.relation(r), product, beta, out_);
    }
    return out_;
  }

  void backward(View<T> h_bar) override {
    const auto& in = context_.inputs;
    const View<T> w_bar = context_.parameters.gradient(w_);
    if (!in.mix_after) return add_gradient(h_bar, w_bar);
    for (Index r = 0; r < in.mixing.count(); ++r) {
      if (in.mixing.is_identity(r)) {
        add_gradient(h_bar, weights(w_bar, r));
        continue;
      }
      const View<T> product_bar = context_.temporary(h_bar.cols);
      context_.backend.spmm(T(1), Op::transpose, in.mixing.relation(r), h_bar, T(0), product_bar);
      add_gradient(product_bar, weights(w_bar, r));
    }
  }

 private:
  /// W_r.
  View<T> weights(View<T> w, Index r) const {
    return w.block_rows(r * context_.inputs.width(), context_.inputs.width());
  }
  /// out ← X W + beta out.
  void times_x(View<T> w, T beta, View<T> out) {
    const auto& in = context_.inputs;
    if (in.is_sparse()) {
      context_.backend.spmm(T(1), Op::none, in.sparse, w, beta, out);
    } else {
      context_.backend.gemm(T(1), Op::none, in.dense, Op::none, w, beta, out);
    }
  }
  /// w_bar += Xᵀ out_bar.
  void add_gradient(View<T> out_bar, View<T> w_bar) {
    const auto& in = context_.inputs;
    if (in.is_sparse()) {
      context_.backend.spmm(T(1), Op::transpose, in.sparse, out_bar, T(1), w_bar);
    } else {
      context_.backend.gemm(T(1), Op::transpose, in.dense, Op::none, out_bar, T(1), w_bar);
    }
  }

  GcnContext<T>& context_;
  int w_;
  Matrix<T> out_;
};

}  // namespace gdkm
