#pragma once

#include "gdkm/layers/layer.hpp"
#include "gdkm/layers/mixing.hpp"
#include "gdkm/layers/workspace.hpp"

namespace gdkm {

/// Graph mixing with inter-domain inducing points: K_ti ← Â K_ti, and K_ii does not change. It acts on
/// products: Â (K_ti S) costs one sparse product more than K_ti S.
template <class T>
class MixInter final : public Layer<T>, public Kernel<T> {
 public:
  MixInter(Workspace<T>& workspace, Kernel<T>& input, const Mixing<T>& mixing)
      : backend_(workspace.backend()), workspace_(workspace), input_(input), mixing_(mixing) {
    workspace.scratch(input.depth(), 0);
  }

  void forward() override {}
  void backward(T /*scale*/) override {}
  MixInter& output() override { return *this; }

  Index inducing() const override { return input_.inducing(); }
  int depth() const override { return input_.depth() + 1; }
  View<T> ii_bar() override { return input_.ii_bar(); }
  void factor(T jitter, View<T> h, View<T> inverse, View<T> used) override {
    input_.factor(jitter, h, inverse, used);
  }

  void times(ConstView<T> s, View<T> out) override {
    const View<T> unmixed = workspace_.scratch(input_.depth(), s.cols);
    input_.times(s, unmixed);
    backend_.spmm(T(1), Op::none, mixing_.tt(), unmixed, T(0), out);
  }
  void times_backward(ConstView<T> s, ConstView<T> out_bar, View<T> s_bar) override {
    const View<T> unmixed_bar = workspace_.scratch(input_.depth(), s.cols);
    backend_.spmm(T(1), Op::transpose, mixing_.tt(), out_bar, T(0), unmixed_bar);
    input_.times_backward(s, unmixed_bar, s_bar);
  }

 private:
  Backend<T>& backend_;
  Workspace<T>& workspace_;
  Kernel<T>& input_;
  const Mixing<T>& mixing_;
};

}  // namespace gdkm
