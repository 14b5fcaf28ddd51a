#pragma once

#include <string>

#include "gdkm/layers/layer.hpp"
#include "gdkm/layers/mixing.hpp"
#include "gdkm/layers/relation_weights.hpp"

namespace gdkm {

/// Graph mixing by R relations, each with weights of its own: f = Σ_r √w_r P_r f_r, with independent f_r of
/// the input's kernel K. Every inducing location z_j has one inducing variable f_r(z_j) per relation, so that
///
///     K'_ii = I_R ⊗ K_ii,   K'_ti = [√w_1 P_1 K_ti, …, √w_R P_R K_ti].
///
/// R locations less are needed for the same number of variables, and K_ti has so few columns that it is mixed
/// as it is: C = [P_r K_ti]_r, and K'_ti S = C (√w S). That takes fewer operations than mixing R products,
/// and no matrix that one relation does not need. The weights multiply small matrices alone.
template <class T>
class MixRelations final : public Layer<T>, public Kernel<T> {
 public:
  MixRelations(Workspace<T>& workspace, Kernel<T>& input, const Mixing<T>& mixing, Parameters<T>& parameters,
               const std::string& name, bool learned);

  void forward() override;
  void backward(T scale) override;
  MixRelations& output() override { return *this; }
  RelationWeights<T>& weights() { return weights_; }

  Index inducing() const override { return weights_.count() * input_.inducing(); }
  int depth() const override { return input_.depth() + 2; }
  View<T> ii_bar() override { return ii_bar_; }
  void factor(T jitter, View<T> h, View<T> inverse, View<T> used) override;
  void times(ConstView<T> s, View<T> out) override;
  void times_backward(ConstView<T> s, ConstView<T> out_bar, View<T> s_bar) override;

 private:
  /// The columns of relation r in C.
  View<T> columns(View<T> c, Index r) const { return c.block_cols(r * input_.inducing(), input_.inducing()); }
  /// Where K_ti is computed: among the columns of a relation with P_r = I, or beside C.
  View<T> unmixed(View<T> c) const;
  /// C, in memory that the next product overwrites.
  View<T> mixed();

  Backend<T>& backend_;
  Workspace<T>& workspace_;
  Kernel<T>& input_;
  const Mixing<T>& mixing_;
  RelationWeights<T> weights_;
  Matrix<T> identity_, h_, inverse_, scaled_, scaled_bar_, ii_bar_, unused_;
};

}  // namespace gdkm
