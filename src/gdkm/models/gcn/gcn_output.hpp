#pragma once

#include "gdkm/models/gcn/gcn_layer.hpp"

namespace gdkm {

/// logits = Σ_r R_r H W_r + b, where R_r (outputs × nodes) chooses, mixes or pools nodes, as [R_r H]_r W or
/// Σ_r R_r(HW_r), whichever is cheaper. Without weights (the network is its input layer) R H + b.
template <class T>
class GcnOutput {
 public:
  GcnOutput(GcnContext<T>& context, Index classes, bool weights) : context_(context) {
    const auto& in = context.inputs;
    const Index count = this->count(), width = weights ? context.config.width : classes;
    if (weights) w_ = context.parameters.declare("output.W", count * width, classes);
    b_ = context.parameters.declare("output.b", 1, classes);
    Index nonzeros = 0;
    bool is_identity = true;
    for (const Sparse<T>& each : in.readout) {
      nonzeros += each.empty() ? in.outputs : each.nonzeros();
      is_identity = is_identity && each.empty();
    }
    pool_first_ = !is_identity && nonzeros * width + in.outputs * count * width * classes <
                                      in.nodes * count * width * classes + nonzeros * classes;
    logits_ = Matrix<T>(context.backend, in.outputs, classes);
    if (pool_first_ && weights) pooled_ = Matrix<T>(context.backend, in.outputs, count * width);
    if (pool_first_ && weights && context.training) {
      pooled_bar_ = Matrix<T>(context.backend, in.outputs, count * width);
    }
  }

  View<T> logits() const { return logits_; }

  void forward(View<T> h) {
    Backend<T>& backend = context_.backend;
    in_ = h;
    if (w_ < 0) {
      pool(0, h, logits_);
    } else if (pool_first_) {
      for (Index r = 0; r < count(); ++r) pool(r, h, pooled_.view().block_cols(r * h.cols, h.cols));
      backend.gemm(T(1), Op::none, pooled_, Op::none, context_.parameters.value(w_), T(0), logits_);
    } else {
      for (Index r = 0; r < count(); ++r) {
        const T beta = r == 0 ? T(0) : T(1);
        if (matrix(r).empty()) {
          backend.gemm(T(1), Op::none, h, Op::none, weights(r), beta, logits_);
          continue;
        }
        const View<T> product = context_.temporary(logits_.cols());
        backend.gemm(T(1), Op::none, h, Op::none, weights(r), T(0), product);
        backend.spmm(T(1), Op::none, matrix(r), product, beta, logits_);
      }
    }
    backend.add_row(T(1), context_.parameters.value(b_), logits_);
  }

  /// h_bar ← the gradient of what forward took.
  void backward(View<T> logits_bar, View<T> h_bar) {
    Backend<T>& backend = context_.backend;
    backend.column_sums(T(1), logits_bar, T(1), context_.parameters.gradient(b_));
    if (w_ < 0) return pool_backward(0, logits_bar, T(0), h_bar);
    const View<T> w_bar = context_.parameters.gradient(w_);
    if (pool_first_) {
      backend.gemm(T(1), Op::transpose, pooled_, Op::none, logits_bar, T(1), w_bar);
      backend.gemm(T(1), Op::none, logits_bar, Op::transpose, context_.parameters.value(w_), T(0),
                   pooled_bar_);
      for (Index r = 0; r < count(); ++r) {
        pool_backward(r, pooled_bar_.view().block_cols(r * h_bar.cols, h_bar.cols), r == 0 ? T(0) : T(1),
                      h_bar);
      }
      return;
    }
    for (Index r = 0; r < count(); ++r) {
      View<T> product_bar = logits_bar;
      if (!matrix(r).empty()) {
        product_bar = context_.temporary(logits_bar.cols);
        backend.spmm(T(1), Op::transpose, matrix(r), logits_bar, T(0), product_bar);
      }
      backend.gemm(T(1), Op::transpose, in_, Op::none, product_bar, T(1),
                   w_bar.block_rows(r * in_.cols, in_.cols));
      backend.gemm(T(1), Op::none, product_bar, Op::transpose, weights(r), r == 0 ? T(0) : T(1), h_bar);
    }
  }

 private:
  Index count() const { return static_cast<Index>(context_.inputs.readout.size()); }
  /// R_r; empty where it is the identity.
  const Sparse<T>& matrix(Index r) const { return context_.inputs.readout[static_cast<std::size_t>(r)]; }
  /// W_r.
  View<T> weights(Index r) const { return context_.parameters.value(w_).block_rows(r * in_.cols, in_.cols); }
  void pool(Index r, ConstView<T> h, View<T> out) {
    if (matrix(r).empty()) return context_.backend.add(T(1), h, T(0), out);
    context_.backend.spmm(T(1), Op::none, matrix(r), h, T(0), out);
  }
  /// h_bar ← R_rᵀ out_bar + beta h_bar.
  void pool_backward(Index r, ConstView<T> out_bar, T beta, View<T> h_bar) {
    if (matrix(r).empty()) return context_.backend.add(T(1), out_bar, beta, h_bar);
    context_.backend.spmm(T(1), Op::transpose, matrix(r), out_bar, beta, h_bar);
  }

  GcnContext<T>& context_;
  int w_ = -1, b_ = -1;
  bool pool_first_ = false;
  View<T> in_;
  Matrix<T> logits_, pooled_, pooled_bar_;
};

}  // namespace gdkm
