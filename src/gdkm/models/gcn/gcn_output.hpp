#pragma once

#include "gdkm/models/gcn/gcn_layer.hpp"

namespace gdkm {

/// logits = R H W + b, where R (outputs × nodes) chooses, mixes or pools nodes, as (RH)W or R(HW), whichever
/// is cheaper. Without weights (the network is its input layer) R H + b.
template <class T>
class GcnOutput {
 public:
  GcnOutput(GcnContext<T>& context, Index classes, bool weights) : context_(context) {
    const auto& in = context.inputs;
    const Index width = weights ? context.config.width : classes;
    if (weights) w_ = context.parameters.declare("output.W", width, classes);
    b_ = context.parameters.declare("output.b", 1, classes);
    const Index nonzeros = in.readout.empty() ? in.outputs : in.readout.nonzeros();
    pool_first_ = !in.readout.empty() && nonzeros * width + in.outputs * width * classes <
                                             in.nodes * width * classes + nonzeros * classes;
    logits_ = Matrix<T>(context.backend, in.outputs, classes);
    if (pool_first_ && weights) pooled_ = Matrix<T>(context.backend, in.outputs, width);
    if (pool_first_ && weights && context.training) {
      pooled_bar_ = Matrix<T>(context.backend, in.outputs, width);
    }
  }

  View<T> logits() const { return logits_; }

  void forward(View<T> h) {
    Backend<T>& backend = context_.backend;
    const Sparse<T>& r = context_.inputs.readout;
    in_ = h;
    if (w_ < 0) {
      pool(h, logits_);
    } else if (pool_first_) {
      backend.spmm(T(1), Op::none, r, h, T(0), pooled_);
      backend.gemm(T(1), Op::none, pooled_, Op::none, weights(), T(0), logits_);
    } else {
      const View<T> product = r.empty() ? logits_.view() : context_.temporary(logits_.cols());
      backend.gemm(T(1), Op::none, h, Op::none, weights(), T(0), product);
      if (!r.empty()) backend.spmm(T(1), Op::none, r, product, T(0), logits_);
    }
    backend.add_row(T(1), context_.parameters.value(b_), logits_);
  }

  /// h_bar ← the gradient of what forward took.
  void backward(View<T> logits_bar, View<T> h_bar) {
    Backend<T>& backend = context_.backend;
    const Sparse<T>& r = context_.inputs.readout;
    backend.column_sums(T(1), logits_bar, T(1), context_.parameters.gradient(b_));
    if (w_ < 0) return pool_backward(logits_bar, h_bar);
    const View<T> w_bar = context_.parameters.gradient(w_);
    if (pool_first_) {
      backend.gemm(T(1), Op::transpose, pooled_, Op::none, logits_bar, T(1), w_bar);
      backend.gemm(T(1), Op::none, logits_bar, Op::transpose, weights(), T(0), pooled_bar_);
      backend.spmm(T(1), Op::transpose, r, pooled_bar_, T(0), h_bar);
      return;
    }
    const View<T> product_bar = r.empty() ? logits_bar : context_.temporary(logits_bar.cols);
    if (!r.empty()) backend.spmm(T(1), Op::transpose, r, logits_bar, T(0), product_bar);
    backend.gemm(T(1), Op::transpose, in_, Op::none, product_bar, T(1), w_bar);
    backend.gemm(T(1), Op::none, product_bar, Op::transpose, weights(), T(0), h_bar);
  }

 private:
  View<T> weights() const { return context_.parameters.value(w_); }
  void pool(ConstView<T> h, View<T> out) {
    const Sparse<T>& r = context_.inputs.readout;
    if (r.empty()) return context_.backend.add(T(1), h, T(0), out);
    context_.backend.spmm(T(1), Op::none, r, h, T(0), out);
  }
  void pool_backward(ConstView<T> out_bar, View<T> h_bar) {
    const Sparse<T>& r = context_.inputs.readout;
    if (r.empty()) return context_.backend.add(T(1), out_bar, T(0), h_bar);
    context_.backend.spmm(T(1), Op::transpose, r, out_bar, T(0), h_bar);
  }

  GcnContext<T>& context_;
  int w_ = -1, b_ = -1;
  bool pool_first_ = false;
  View<T> in_;
  Matrix<T> logits_, pooled_, pooled_bar_;
};

}  // namespace gdkm
