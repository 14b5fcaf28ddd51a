#pragma once

#include <string>

#include "gdkm/models/gcn/gcn_layer.hpp"

namespace gdkm {

/// N, in place; what is not asked for is left out.
///
///     batch normalisation    x ← (x − mean) / √(variance + ε) of every column, over the nodes of the batch;
///     in
///                            prediction with running moments, which are stored with the model
///     row normalisation      x ← x / √(mean of the row's squares + ε)
///
/// No scale or shift of its own is learned: a bias or the next weight matrix does the same.
template <class T>
class GcnNorm final : public GcnLayer<T> {
 public:
  static constexpr double epsilon = 1e-5, momentum = 0.1;

  GcnNorm(GcnContext<T>& context, const std::string& name) : context_(context) {
    const Index n = context.inputs.nodes, width = context.config.width;
    if (context.config.batch_norm) {
      running_mean_ = context.statistics.declare(name + ".mean", 1, width);
      running_variance_ = context.statistics.declare(name + ".variance", 1, width);
      mean_ = Matrix<T>(context.backend, 1, width);
      variance_ = Matrix<T>(context.backend, 1, width);
      if (context.training) by_columns_ = Matrix<T>(context.backend, n, width);
    }
    if (context.config.row_normalise) {
      length_ = Matrix<T>(context.backend, 1, n);
      if (context.training) by_rows_ = Matrix<T>(context.backend, n, width);
    }
  }

  View<T> forward(View<T> h) override {
    Backend<T>& backend = context_.backend;
    if (context_.config.batch_norm) {
      const View<T> running_mean = context_.statistics.value(running_mean_),
                    running_variance = context_.statistics.value(running_variance_);
      if (context_.learning) {
        backend.column_moments(h, mean_, variance_);
        backend.add(T(momentum), mean_, T(1 - momentum), running_mean);
        backend.add(T(momentum), variance_, T(1 - momentum), running_variance);
        backend.standardise(mean_, variance_, T(epsilon), h);
        backend.add(T(1), h, T(0), by_columns_);
      } else {
        backend.standardise(running_mean, running_variance, T(epsilon), h);
      }
    }
    if (context_.config.row_normalise) {
      backend.normalise_rows(T(epsilon), h, length_);
      if (context_.learning) backend.add(T(1), h, T(0), by_rows_);
    }
    return h;
  }

  void backward(View<T> h_bar) override {
    if (context_.config.row_normalise) context_.backend.normalise_rows_backward(by_rows_, length_, h_bar);
    if (context_.config.batch_norm) {
      context_.backend.standardise_backward(by_columns_, variance_, T(epsilon), h_bar);
    }
  }

 private:
  GcnContext<T>& context_;
  int running_mean_ = -1, running_variance_ = -1;
  Matrix<T> mean_, variance_, length_;
  Matrix<T> by_columns_, by_rows_;  // what each of the two put out, for backward
};

}  // namespace gdkm
