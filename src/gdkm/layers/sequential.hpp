#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "gdkm/layers/layer.hpp"

namespace gdkm {

/// Layers in order; each takes the output of the one before.
template <class T>
class Sequential final : public Layer<T> {
 public:
  template <class L, class... Arguments>
  L& add(Arguments&&... arguments) {
    auto layer = std::make_unique<L>(std::forward<Arguments>(arguments)...);
    L& reference = *layer;
    layers_.push_back(std::move(layer));
    return reference;
  }

  void forward() override {
    for (auto& layer : layers_) layer->forward();
  }
  void backward(T scale) override {
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) (*layer)->backward(scale);
  }
  Kernel<T>& output() override { return layers_.back()->output(); }

 private:
  std::vector<std::unique_ptr<Layer<T>>> layers_;
};

}  // namespace gdkm
