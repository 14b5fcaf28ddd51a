#pragma once

#include "gdkm/layers/kernel.hpp"

namespace gdkm {

/// One layer. `backward` runs after the backward of every layer that used its output. `scale` is the weight
/// of the ELBO in the loss (−1/n_train in training); all gradients are gradients of scale · ELBO.
template <class T>
class Layer {
 public:
  virtual ~Layer() = default;
  virtual void forward() = 0;
  virtual void backward(T scale) = 0;
  virtual Kernel<T>& output() = 0;
};

}  // namespace gdkm
