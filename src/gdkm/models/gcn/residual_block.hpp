#pragma once

#include <string>

#include "gdkm/models/gcn/gcn_activation.hpp"
#include "gdkm/models/gcn/gcn_norm.hpp"
#include "gdkm/models/gcn/graph_convolution.hpp"

namespace gdkm {

/// H + φ(Â N(H) W + b) V + c, with φ = dropout(relu(·)).
template <class T>
class ResidualBlock final : public GcnLayer<T> {
 public:
  ResidualBlock(GcnContext<T>& context, const std::string& name)
      : context_(context),
        norm_(context, name),
        convolution_(context, name),
        activation_(context, name),
        v_(context.parameters.declare(name + ".V", context.config.width, context.config.width)),
        c_(context.parameters.declare(name + ".c", 1, context.config.width)),
        out_(context.backend, context.inputs.nodes, context.config.width) {
    if (context.config.normalised()) normalised_ = Matrix<T>(context.backend, out_.rows(), out_.cols());
    if (context.training) branch_bar_ = Matrix<T>(context.backend, out_.rows(), out_.cols());
  }

  View<T> forward(View<T> h) override {
    Backend<T>& backend = context_.backend;
    backend.add(T(1), h, T(0), out_);
    // The layer below still needs its h: N works on a copy.
    if (!normalised_.empty()) backend.add(T(1), h, T(0), normalised_);
    hidden_ = activation_.forward(convolution_.forward(normalised_.empty() ? h : norm_.forward(normalised_)));
    backend.gemm(T(1), Op::none, hidden_, Op::none, context_.parameters.value(v_), T(1), out_);
    backend.add_row(T(1), context_.parameters.value(c_), out_);
    return out_;
  }

  void backward(View<T> h_bar) override {
    context_.backend.column_sums(T(1), h_bar, T(1), context_.parameters.gradient(c_));
    context_.backend.gemm(T(1), Op::transpose, hidden_, Op::none, h_bar, T(1),
                          context_.parameters.gradient(v_));
    context_.backend.gemm(T(1), Op::none, h_bar, Op::transpose, context_.parameters.value(v_), T(0),
                          branch_bar_);
    activation_.backward(branch_bar_);
    convolution_.backward(branch_bar_);
    norm_.backward(branch_bar_);
    context_.backend.add(T(1), branch_bar_, T(1), h_bar);
  }

 private:
  GcnContext<T>& context_;
  GcnNorm<T> norm_;
  GraphConvolution<T> convolution_;
  GcnActivation<T> activation_;
  int v_, c_;
  Matrix<T> out_, normalised_, branch_bar_;
  View<T> hidden_;
};

}  // namespace gdkm
