#pragma once

#include <string>

#include "gdkm/layers/parameters.hpp"
#include "gdkm/layers/workspace.hpp"
#include "gdkm/linalg/sparse.hpp"

namespace gdkm {

/// A mixing with one set of weights and a learned operator P = Σ_k γ_k Â^k, k = 0 … K. The γ_k have signs, so
/// that P can take differences between a node and its neighbours. It applies to n×k matrices, power by power:
/// P is never formed.
template <class T>
class Polynomial {
 public:
  /// `depth` is the first of two scratch matrices that are its own.
  Polynomial(Workspace<T>& workspace, const Sparse<T>& a, Parameters<T>& parameters, const std::string& name,
             int degree, int depth)
      : backend_(workspace.backend()),
        workspace_(workspace),
        a_(a),
        parameters_(parameters),
        gamma_(parameters.declare(name + ".gamma", 1, degree + 1)),
        degree_(degree),
        depth_(depth) {
    workspace.scratch(depth + scratch - 1, 0);
  }

  static constexpr int scratch = 2;

  /// out ← P X.
  void apply(ConstView<T> x, View<T> out) {
    powers(Op::none, x, [&](Index k, ConstView<T> power) { add(k, power, out); });
  }
  /// x_bar ← Pᵀ out_bar.
  void apply_transposed(ConstView<T> out_bar, View<T> x_bar) {
    powers(Op::transpose, out_bar, [&](Index k, ConstView<T> power) { add(k, power, x_bar); });
  }
  /// The same, and adds to the gradient of γ_k: ⟨Â^k X, out_bar⟩ = ⟨X, (Âᵀ)^k out_bar⟩.
  void apply_backward(ConstView<T> x, ConstView<T> out_bar, View<T> x_bar) {
    const View<T> gradient = parameters_.gradient(gamma_);
    powers(Op::transpose, out_bar, [&](Index k, ConstView<T> power) {
      backend_.dot(T(1), x, power, T(1), gradient.block_cols(k, 1));
      add(k, power, x_bar);
    });
  }

 private:
  /// Calls use(k, A^k X) for k = 0 … K, A or its transpose.
  template <class Use>
  void powers(Op op, ConstView<T> x, const Use& use) {
    use(0, x);
    ConstView<T> power = x;
    for (Index k = 1; k <= degree_; ++k) {
      const View<T> next = workspace_.scratch(depth_ + static_cast<int>(k % 2), x.cols);
      backend_.spmm(T(1), op, a_, power, T(0), next);
      power = next;
      use(k, power);
    }
  }
  /// out ← γ_k X, added to what is there unless k = 0: the product of a long column with a 1×1 matrix.
  void add(Index k, ConstView<T> x, View<T> out) {
    backend_.gemm(T(1), Op::none, x.reshaped(x.size(), 1), Op::none,
                  parameters_.value(gamma_).block_cols(k, 1), k == 0 ? T(0) : T(1),
                  out.reshaped(out.size(), 1));
  }

  Backend<T>& backend_;
  Workspace<T>& workspace_;
  const Sparse<T>& a_;
  Parameters<T>& parameters_;
  int gamma_;
  Index degree_;
  int depth_;
};

}  // namespace gdkm
