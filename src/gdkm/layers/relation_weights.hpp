#pragma once

#include <cmath>
#include <string>

#include "gdkm/layers/parameters.hpp"
#include "gdkm/layers/workspace.hpp"

namespace gdkm {

/// The weights w_r > 0 of a layer's relations, Σ_r w_r = 1. They are softmax of a parameter that starts at 0,
/// so that all are 1/R at first, or stay at 1/R. They enter as √w_r, by which the blocks of small matrices
/// (one block of rows per relation) are multiplied.
///
/// The layer that owns them calls forward() first, and backward() when all users of the weights have run
/// theirs.
template <class T>
class RelationWeights {
 public:
  RelationWeights(Workspace<T>& workspace, Parameters<T>& parameters, const std::string& name,
                  Index relations, bool learned)
      : backend_(workspace.backend()),
        parameters_(parameters),
        count_(relations),
        log_w_(backend_, 1, relations),
        log_w_bar_(backend_, 1, relations) {
    if (learned) parameter_ = parameters.declare(name + ".w", 1, relations);
    backend_.fill(log_w_, -std::log(static_cast<T>(relations)));
  }

  Index count() const { return count_; }
  View<T> log_weight(Index r) const { return log_w_.view().block_cols(r, 1); }

  void forward() {
    if (parameter_ < 0) return;
    backend_.log_softmax(parameters_.value(parameter_), log_w_);
    backend_.fill(log_w_bar_, T(0));
  }
  void backward() {
    if (parameter_ < 0) return;
    backend_.log_softmax_backward(log_w_, log_w_bar_, parameters_.gradient(parameter_));
  }

  /// Block r of the rows of `out` ← √w_r times that of `s`.
  void scale(ConstView<T> s, View<T> out) const {
    for (Index r = 0; r < count_; ++r)
      backend_.add_exp_scaled(T(0.5), log_weight(r), block(s, r), T(0), block(out, r));
  }
  /// Backward of `scale`, given the gradient of `out`, of which it makes that of `s`.
  void scale_backward(ConstView<T> s, View<T> bar) {
    scale(bar, bar);
    add_gradient(s, bar);
  }
  /// Adds to the gradient of w_r what it owes to a term √w_r · s_r, where s_bar is the gradient of s.
  void add_gradient(ConstView<T> s, ConstView<T> s_bar) {
    if (parameter_ < 0) return;
    for (Index r = 0; r < count_; ++r)
      backend_.dot(T(0.5), block(s, r), block(s_bar, r), T(1), log_w_bar_.view().block_cols(r, 1));
  }

  template <class U>
  View<U> block(View<U> a, Index r) const {
    const Index rows = a.rows / count_;
    return a.block_rows(r * rows, rows);
  }

 private:
  Backend<T>& backend_;
  Parameters<T>& parameters_;
  Index count_;
  int parameter_ = -1;
  Matrix<T> log_w_, log_w_bar_;
};

}  // namespace gdkm
