#pragma once

#include <string>

#include "gdkm/models/gcn/gcn_layer.hpp"

namespace gdkm {

/// Σ_r P_r(H W_r), with W_r of width × width: the rows r·width … of W. Backward, with Z̄ the gradient of what
/// it put out:  Y = P_rᵀZ̄,  W̄_r = HᵀY,  H̄ = Σ_r Y W_rᵀ. All relations use one temporary for H W_r or Y.
template <class T>
class GraphConvolution final : public GcnLayer<T> {
 public:
  GraphConvolution(GcnContext<T>& context, const std::string& name)
      : context_(context),
        w_(context.parameters.declare(name + ".W", context.inputs.mixing.count() * context.config.width,
                                      context.config.width)),
        out_(context.backend, context.inputs.nodes, context.config.width) {}

  View<T> forward(View<T> h) override {
    const auto& mixing = context_.inputs.mixing;
    const View<T> w = context_.parameters.value(w_);
    in_ = h;
    for (Index r = 0; r < mixing.count(); ++r) {
      const T beta = r == 0 ? T(0) : T(1);
      if (mixing.is_identity(r)) {
        context_.backend.gemm(T(1), Op::none, h, Op::none, weights(w, r), beta, out_);
        continue;
      }
      const View<T> product = context_.temporary(w.cols);
      context_.backend.gemm(T(1), Op::none, h, Op::none, weights(w, r), T(0), product);
      context_.backend.spmm(T(1), Op::none, mixing.relation(r), product, beta, out_);
    }
    return out_;
  }

  void backward(View<T> h_bar) override {
    const auto& mixing = context_.inputs.mixing;
    const View<T> w = context_.parameters.value(w_), w_bar = context_.parameters.gradient(w_);
    // With several relations Z̄ is needed until the last: H̄ is summed up where Z was, which is done with.
    const View<T> sum = mixing.count() == 1 ? h_bar : out_.view();
    for (Index r = 0; r < mixing.count(); ++r) {
      View<T> product_bar = h_bar;
      if (!mixing.is_identity(r)) {
        product_bar = context_.temporary(h_bar.cols);
        context_.backend.spmm(T(1), Op::transpose, mixing.relation(r), h_bar, T(0), product_bar);
      }
      context_.backend.gemm(T(1), Op::transpose, in_, Op::none, product_bar, T(1), weights(w_bar, r));
      context_.backend.gemm(T(1), Op::none, product_bar, Op::transpose, weights(w, r), r == 0 ? T(0) : T(1),
                            sum);
    }
    if (mixing.count() > 1) context_.backend.add(T(1), sum, T(0), h_bar);
  }

 private:
  /// W_r.
  View<T> weights(View<T> w, Index r) const {
    return w.block_rows(r * context_.config.width, context_.config.width);
  }

  GcnContext<T>& context_;
  int w_;
  View<T> in_;
  Matrix<T> out_;
};

}  // namespace gdkm
