#pragma once

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// What flows between layers: a Gram matrix over inducing points ("i") and nodes ("t"),
///
///     K = [ K_ii  K_it ]
///         [ K_ti  K_tt ]
///
/// of which only K_ii is ever formed. K_ti is known by its products K_ti·S with m×k matrices, so that mixing,
/// the nonlinearity and the solve of the next Gram layer fall into the cheapest order by themselves; K_tt is
/// not needed.
template <class T>
class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual Index inducing() const = 0;
  /// How many scratch matrices times() takes.
  virtual int depth() const = 0;

  /// H Hᵀ = K_ii + jitter, and H⁻¹; `used` receives the relative jitter.
  virtual void factor(T jitter, View<T> h, View<T> inverse, View<T> used) = 0;
  /// What reached K_ii: consumers add to it.
  virtual View<T> ii_bar() = 0;

  /// out ← K_ti S.
  virtual void times(ConstView<T> s, View<T> out) = 0;
  /// s_bar ← K_tiᵀ out_bar; everything K_ti was made of receives its gradient.
  virtual void times_backward(ConstView<T> s, ConstView<T> out_bar, View<T> s_bar) = 0;
};

}  // namespace gdkm
