#pragma once

#include <string>

#include "gdkm/models/gcn/gcn_layer.hpp"

namespace gdkm {

/// dropout(relu(H + b)), in place.
template <class T>
class GcnActivation final : public GcnLayer<T> {
 public:
  GcnActivation(GcnContext<T>& context, const std::string& name)
      : context_(context),
        b_(context.parameters.declare(name + ".b", 1, context.config.width)),
        dropout_(context.dropouts++) {}

  View<T> forward(View<T> h) override {
    context_.backend.add_row(T(1), context_.parameters.value(b_), h);
    context_.backend.relu(context_.dropout(), context_.dropout_stream(dropout_), h);
    return out_ = h;
  }

  void backward(View<T> h_bar) override {
    context_.backend.relu_backward(out_, context_.dropout(), h_bar);
    context_.backend.column_sums(T(1), h_bar, T(1), context_.parameters.gradient(b_));
  }

 private:
  GcnContext<T>& context_;
  int b_, dropout_;
  View<T> out_;
};

}  // namespace gdkm
