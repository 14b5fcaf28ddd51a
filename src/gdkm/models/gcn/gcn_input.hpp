#pragma once

#include <string>

#include "gdkm/models/gcn/gcn_layer.hpp"

namespace gdkm {

/// The first product: (ÂX)W, Â(XW) or XW, as the inputs are laid out. It takes nothing from other layers.
template <class T>
class GcnInput final : public GcnLayer<T> {
 public:
  GcnInput(GcnContext<T>& context, const std::string& name, Index width)
      : context_(context),
        w_(context.parameters.declare(name + ".W", context.inputs.width(), width)),
        out_(context.backend, context.inputs.nodes, width) {}

  View<T> forward(View<T> /*h*/) override {
    const auto& in = context_.inputs;
    const View<T> w = context_.parameters.value(w_);
    const View<T> product = in.mix_after ? context_.temporary(w.cols) : out_.view();
    if (in.is_sparse()) {
      context_.backend.spmm(T(1), Op::none, in.sparse, w, T(0), product);
    } else {
      context_.backend.gemm(T(1), Op::none, in.dense, Op::none, w, T(0), product);
    }
    if (in.mix_after) context_.backend.spmm(T(1), Op::none, in.mixing, product, T(0), out_);
    return out_;
  }

  void backward(View<T> h_bar) override {
    const auto& in = context_.inputs;
    const View<T> w_bar = context_.parameters.gradient(w_);
    const View<T> product_bar = in.mix_after ? context_.temporary(h_bar.cols) : h_bar;
    if (in.mix_after) context_.backend.spmm(T(1), Op::transpose, in.mixing, h_bar, T(0), product_bar);
    if (in.is_sparse()) {
      context_.backend.spmm(T(1), Op::transpose, in.sparse, product_bar, T(1), w_bar);
    } else {
      context_.backend.gemm(T(1), Op::transpose, in.dense, Op::none, product_bar, T(1), w_bar);
    }
  }

 private:
  GcnContext<T>& context_;
  int w_;
  Matrix<T> out_;
};

}  // namespace gdkm
