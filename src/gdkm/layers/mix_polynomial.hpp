#pragma once

#include <string>

#include "gdkm/layers/layer.hpp"
#include "gdkm/layers/mixing.hpp"
#include "gdkm/layers/polynomial.hpp"

namespace gdkm {

/// Graph mixing by a learned polynomial of Â, with inter-domain inducing points: K_ti ← P K_ti, and K_ii does
/// not change. See Polynomial.
template <class T>
class MixPolynomial final : public Layer<T>, public Kernel<T> {
 public:
  MixPolynomial(Workspace<T>& workspace, Kernel<T>& input, const Mixing<T>& mixing, Parameters<T>& parameters,
                const std::string& name, int degree)
      : workspace_(workspace),
        input_(input),
        polynomial_(workspace, mixing.tt(), parameters, name, degree, input.depth() + 2) {
    workspace.scratch(input.depth() + 1, 0);
  }

  void forward() override {}
  void backward(T /*scale*/) override {}
  MixPolynomial& output() override { return *this; }

  Index inducing() const override { return input_.inducing(); }
  int depth() const override { return input_.depth() + 2 + Polynomial<T>::scratch; }
  View<T> ii_bar() override { return input_.ii_bar(); }
  void factor(T jitter, View<T> h, View<T> inverse, View<T> used) override {
    input_.factor(jitter, h, inverse, used);
  }

  void times(ConstView<T> s, View<T> out) override {
    const View<T> unmixed = workspace_.scratch(input_.depth(), s.cols);
    input_.times(s, unmixed);
    polynomial_.apply(unmixed, out);
  }
  void times_backward(ConstView<T> s, ConstView<T> out_bar, View<T> s_bar) override {
    const View<T> unmixed = workspace_.scratch(input_.depth(), s.cols),
                  unmixed_bar = workspace_.scratch(input_.depth() + 1, s.cols);
    input_.times(s, unmixed);
    polynomial_.apply_backward(unmixed, out_bar, unmixed_bar);
    input_.times_backward(s, unmixed_bar, s_bar);
  }

 private:
  Workspace<T>& workspace_;
  Kernel<T>& input_;
  Polynomial<T> polynomial_;
};

}  // namespace gdkm
