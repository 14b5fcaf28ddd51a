#pragma once

#include "gdkm/layers/parameters.hpp"
#include "gdkm/models/gcn/gcn_inputs.hpp"

namespace gdkm {

/// What the layers of one network share.
template <class T>
struct GcnContext {
  Backend<T>& backend;
  const GcnInputs<T>& inputs;
  GcnConfig config;
  Parameters<T>& parameters;
  Parameters<T>& statistics;  // running moments of batch normalisation; nothing here has a gradient
  bool training;              // there is memory for gradients
  Matrix<T> scratch;          // nodes × the widest layer

  /// The pass in progress: does it learn (dropout, moments of the batch) or predict? Every dropout of a pass
  /// has its own stream.
  bool learning = false;
  Stream stream{};
  int dropouts = 0;

  View<T> temporary(Index cols) const { return {scratch.view().data, inputs.nodes, cols}; }
  double dropout() const { return learning ? config.dropout : 0; }
  Stream dropout_stream(int which) const {
    Stream out = stream;
    out.stride = static_cast<std::uint32_t>(dropouts);
    out.step = stream.step * out.stride + static_cast<std::uint32_t>(which);
    return out;
  }
};

/// A layer on the rows of all nodes. Backward runs in the opposite order and adds to the gradients of the
/// layer's parameters.
template <class T>
class GcnLayer {
 public:
  virtual ~GcnLayer() = default;
  /// May work in place (on what no layer below keeps) and put out the same memory.
  virtual View<T> forward(View<T> h) = 0;
  /// h_bar: the gradient of what it put out, which becomes that of what it took, in place.
  virtual void backward(View<T> h_bar) = 0;
};

}  // namespace gdkm
