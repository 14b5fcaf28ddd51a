#pragma once

#include <string>

#include "gdkm/models/gcn/gcn_layer.hpp"

namespace gdkm {

/// Â(H W), with W of width × width.
template <class T>
class GraphConvolution final : public GcnLayer<T> {
 public:
  GraphConvolution(GcnContext<T>& context, const std::string& name)
      : context_(context),
        w_(context.parameters.declare(name + ".W", context.config.width, context.config.width)),
        out_(context.backend, context.inputs.nodes, context.config.width) {}

  View<T> forward(View<T> h) override {
    const View<T> w = context_.parameters.value(w_), product = context_.temporary(w.cols);
    in_ = h;
    context_.backend.gemm(T(1), Op::none, h, Op::none, w, T(0), product);
    context_.backend.spmm(T(1), Op::none, context_.inputs.mixing, product, T(0), out_);
    return out_;
  }

  void backward(View<T> h_bar) override {
    const View<T> product_bar = context_.temporary(h_bar.cols);
    context_.backend.spmm(T(1), Op::transpose, context_.inputs.mixing, h_bar, T(0), product_bar);
    context_.backend.gemm(T(1), Op::transpose, in_, Op::none, product_bar, T(1),
                          context_.parameters.gradient(w_));
    context_.backend.gemm(T(1), Op::none, product_bar, Op::transpose, context_.parameters.value(w_), T(0),
                          h_bar);
  }

 private:
  GcnContext<T>& context_;
  int w_;
  View<T> in_;
  Matrix<T> out_;
};

}  // namespace gdkm
