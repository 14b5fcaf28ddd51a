#pragma once

#include <optional>

#include "gdkm/layers/feature_kernel.hpp"
#include "gdkm/layers/layer.hpp"
#include "gdkm/layers/mixing.hpp"
#include "gdkm/layers/parameters.hpp"
#include "gdkm/layers/polynomial.hpp"
#include "gdkm/layers/relation_weights.hpp"

namespace gdkm {

/// How inputs are mixed: once in advance (the data is ÂX, or [P_1 X, …, P_R X]), in every product (Â(XB), if
/// that is cheaper), or not at all, because the architecture starts with X.
enum class InputMixing { before, within, none };

/// The node features X as layers see them, sparse or dense.
template <class T>
struct InputData {
  Sparse<T> sparse;
  Matrix<T> dense;
  InputMixing mixing = InputMixing::before;
  Matrix<T> inducing_part;  // A_tiᵀ X (m×d), intra-domain only
  Matrix<T> norm;           // ‖row of X‖, 1×n, if inputs are not mixed

  bool is_sparse() const { return !sparse.empty(); }
  Index cols() const { return is_sparse() ? sparse.cols() : dense.cols(); }
};

/// How a layer weighs what it mixes with.
struct RelationWeightOptions {
  bool learned = true;  // the weights of several relations
  int degree = 0;       // of a polynomial, if it mixes by one
};

/// The linear kernel K = F Fᵀ of the mixed inputs. Rows of X are usually unit vectors, so there is no 1/d.
///
///     inter-domain   F_i = X_i                    F_t = ÂX            (X_i lives in the mixed space)
///     intra-domain   F_i = A_ii X_i + A_tiᵀ X     F_t = A_ti X_i + ÂX
///
/// X_i is learned. F_t is never formed: F_t B is (ÂX)B or Â(XB), whichever is cheaper. If inputs are not
/// mixed, F_i = X_i and F_t = X. With several relations (inter-domain) the mixed space is that of all of them
/// side by side, F_t = [√w_1 P_1 X, …, √w_R P_R X], and X_i has R·d columns. With a polynomial, F_t = PX.
template <class T>
class InputLayer final : public Layer<T>, public FeatureKernel<T> {
 public:
  InputLayer(Workspace<T>& workspace, const InputData<T>& data, const Mixing<T>& mixing,
             Parameters<T>& parameters, Index inducing, const RelationWeightOptions& options = {});

  void forward() override;
  void backward(T scale) override;
  InputLayer& output() override { return *this; }

  View<T> f_i() override;
  View<T> f_i_bar() override;
  int depth() const override {
    return polynomial_ ? 2 + Polynomial<T>::scratch : data_.mixing == InputMixing::within ? 1 : 0;
  }
  void factor(T jitter, View<T> h, View<T> inverse, View<T> used) override;
  void project(ConstView<T> b, View<T> out) override;
  void project_transposed(ConstView<T> out_bar, View<T> b_bar) override;
  void project_backward(ConstView<T> b, ConstView<T> out_bar, View<T> b_bar) override;

 private:
  /// Whether F_i differs from X_i.
  bool mixes_inducing() const { return mixing_.intra() && data_.mixing != InputMixing::none; }
  void times_x(ConstView<T> b, View<T> out);                     // out ← X B
  void times_x_transposed(ConstView<T> out_bar, View<T> b_bar);  // b_bar ← Xᵀ out_bar
  void mix(ConstView<T> b, View<T> out);                         // out ← Σ_r P_r (X B_r)
  void mix_transposed(ConstView<T> out_bar, View<T> b_bar);      // b_bar_r ← Xᵀ (P_rᵀ out_bar)
  /// The number of relations, if inputs are mixed.
  static Index relations(const InputData<T>& data, const Mixing<T>& mixing) {
    return data.mixing == InputMixing::none ? 1 : mixing.count();
  }
  static Index width_of(const InputData<T>& data, const Mixing<T>& mixing) {
    return data.mixing == InputMixing::within ? data.cols() * relations(data, mixing) : data.cols();
  }

  Workspace<T>& workspace_;
  const InputData<T>& data_;
  const Mixing<T>& mixing_;
  Parameters<T>& parameters_;
  int x_i_;
  std::optional<RelationWeights<T>> weights_;  // of several relations
  std::optional<Polynomial<T>> polynomial_;
  bool kernel_reached_ = false;
  Matrix<T> gram_, f_i_, f_i_bar_, small_, scaled_;
};

}  // namespace gdkm
